import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'

const place = (mailId: string) => ({ table: 'client_mails', row: mailId, column: 'sealed_link' })

export const sealLink = (ring: TenantKeyRing, mailId: string, url: string): Buffer =>
  ring.seal(place(mailId), Buffer.from(url))

export const unsealLink = (ring: TenantKeyRing, mailId: string, sealed: Buffer): string =>
  ring.unseal(place(mailId), sealed).toString()
