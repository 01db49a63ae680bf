import type { MailId } from '../../kernel/ids.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'

const place = (mailId: MailId) => ({ table: 'client_mails', row: mailId, column: 'sealed_link' })

export const sealLink = (ring: TenantKeyRing, mailId: MailId, url: string): Buffer =>
  ring.seal(place(mailId), Buffer.from(url))

export const unsealLink = (ring: TenantKeyRing, mailId: MailId, sealed: Buffer): string =>
  ring.unseal(place(mailId), sealed).toString()
