/** Headers of `fetch`, of another implementation of it, or of Node's `IncomingMessage`. */
export type HeadersLike =
  { get(name: string): string | null } | Record<string, string | readonly string[] | undefined>

/** The first value of a header, whatever the case of its name; null if it is missing or empty. `name` in lower case. */
export function findHeader(headers: HeadersLike, name: string): string | null {
  const found = hasGet(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  const value = typeof found === 'object' && found !== null ? found[0] : found
  return value === undefined || value === null || value === '' ? null : value
}

/** Not `instanceof Headers`: that of another package, or of another realm, is none. */
const hasGet = (headers: HeadersLike): headers is { get(name: string): string | null } =>
  typeof headers.get === 'function'
