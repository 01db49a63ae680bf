import type { RecordingKeys } from '@casenote/contract'
import type { Vault } from './sealed.js'

export type { Sealed, Vault } from './sealed.js'

export async function openVault(clinicianId: string, { keys }: RecordingKeys): Promise<Vault> {
  const imported = await Promise.all(
    keys.map(async ({ version, key }) => {
      const bytes = Uint8Array.from(atob(key), (character) => character.codePointAt(0) ?? 0)
      return [version, await importKey(bytes)] as const
    }),
  )
  const byVersion = new Map(imported)
  const [newest] = imported
  if (newest === undefined) throw new Error('the service gave no recording key')
  const bind = (place: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(`${clinicianId}/${place}`)
  return {
    clinicianId,
    async seal(place, plain) {
      const [keyVersion, key] = newest
      const iv = crypto.getRandomValues(new Uint8Array(12))
      const data = await crypto.subtle.encrypt(
        { name: 'AES-GCM', iv, additionalData: bind(place) },
        key,
        plain,
      )
      return { keyVersion, iv, data }
    },
    async unseal(place, { keyVersion, iv, data }) {
      const key = byVersion.get(keyVersion)
      if (key === undefined) throw new Error(`recording key ${keyVersion} is gone`)
      return crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData: bind(place) }, key, data)
    },
  }
}

const importKey = (bytes: Uint8Array<ArrayBuffer>): ReturnType<typeof crypto.subtle.importKey> =>
  crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
