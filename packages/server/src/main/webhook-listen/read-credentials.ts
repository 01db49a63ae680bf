import { readFile } from 'node:fs/promises'
import type { ApiClientId } from '../../kernel/ids.js'

/** What a partner gets at onboarding; the sandbox's file has more, which is not needed here. */
export interface Credentials {
  baseUrl: string
  clientId: ApiClientId
  clientSecret: string
  apiKey: string
}

/** Names the file and the key, never a value. */
export async function readCredentials(file: string, baseUrl: string | null): Promise<Credentials> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code})`
    throw new Error(`${file} ${reason}: name your credentials with --credentials FILE`)
  })
  const found = parseObject(text)
  if (found === null) throw new Error(`${file} is no JSON object`)
  const get = (key: keyof Credentials): string => {
    const value = found[key]
    if (typeof value !== 'string' || value === '') throw new Error(`${file} has no ${key}`)
    return value
  }
  return {
    baseUrl: (baseUrl ?? get('baseUrl')).replace(/\/{1,9}$/, ''),
    clientId: get('clientId'),
    clientSecret: get('clientSecret'),
    apiKey: get('apiKey'),
  }
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
