const ivBytes = 12

/** Null where the browser has no cryptography: a page without https, other than on this machine. */
async function importKey(base64: string): Promise<CryptoKey | null> {
  if (globalThis.crypto?.subtle === undefined) return null
  return crypto.subtle.importKey('raw', toBytes(base64), 'AES-GCM', false, ['encrypt', 'decrypt'])
}

export async function sealText(key: string, text: string): Promise<string | null> {
  const imported = await importKey(key)
  if (imported === null) return null
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes))
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv },
    imported,
    new TextEncoder().encode(text),
  )
  return toBase64(new Uint8Array([...iv, ...new Uint8Array(sealed)]))
}

/** Null: sealed by an earlier opening, whose key is gone. */
export async function unsealText(key: string, sealed: string): Promise<string | null> {
  const imported = await importKey(key)
  if (imported === null) return null
  try {
    const bytes = toBytes(sealed)
    const iv = bytes.slice(0, ivBytes)
    const text = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, imported, bytes.slice(ivBytes))
    return new TextDecoder().decode(text)
  } catch {
    return null
  }
}

const toBytes = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))
