/** What `Accept-Language` asks for (RFC 9110), without the weights: browsers send the best first. */
export const readLanguages = (header: string | undefined): string[] =>
  (header ?? '')
    .split(',', 10)
    .flatMap((part) => /^\s*([a-z]{2,3}(?:-[A-Za-z0-9]{2,4})?)\s*(?:;|$)/.exec(part)?.[1] ?? [])
