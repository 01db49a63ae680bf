import type { MailId, SignInId } from '../../kernel/ids.js'
import type { MailText } from './compose-mail.js'
import type { SmtpSettings } from './open-smtp.js'

/** A mail that no further attempt will get through, such as one to an address that does not exist. */
export class MailRefused extends Error {
  constructor(readonly code: string) {
    super(`the mail was refused: ${code}`)
    this.name = 'MailRefused'
  }
}

/** Passes: the server is away, busy or wants to be asked again. Its own text repeats addresses, so only a code is kept. */
export class MailDelayed extends Error {
  constructor(readonly code: string) {
    super(`the mail was not taken: ${code}`)
    this.name = 'MailDelayed'
  }
}

export interface MailTransport {
  send(mail: MailText & { mailId: MailId | SignInId; to: string }): Promise<void>
  close(): Promise<void>
}

export function makeSmtpTransport(settings: SmtpSettings): MailTransport {
  const { from } = settings
  const opening = import('./open-smtp.js').then(({ openSmtp }) => openSmtp(settings))
  // It is told with the first mail.
  opening.catch(() => {})
  return {
    send: async ({ mailId, to, subject, text, html }) => {
      try {
        // An object: as text a comma in an address would make two of it. The same id for every attempt lets mailboxes
        // drop the second copy of a mail that was sent twice.
        const messageId = `<${mailId}@${domainOf(from)}>`
        const headers = { 'Auto-Submitted': 'auto-generated' }
        const transport = await opening
        await transport.sendMail({ to: { name: '', address: to }, subject, text, html, messageId, headers })
      } catch (error) {
        throw toMailError(error)
      }
    },
    close: async () => (await opening.catch(() => null))?.close(),
  }
}

const domainOf = (from: string): string => /@([\w.-]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'

/** 5xx to an envelope or a message is final (RFC 5321, 4.2.1). A refused login is the operator's to mend, so it waits. */
function toMailError(error: unknown): MailRefused | MailDelayed {
  const { code = 'UNKNOWN', responseCode = 0 } = error as { code?: string; responseCode?: number }
  const isOfMail = ['EENVELOPE', 'EMESSAGE'].includes(code)
  const name = responseCode === 0 ? code : String(responseCode)
  return isOfMail && (responseCode >= 500 || responseCode === 0)
    ? new MailRefused(name)
    : new MailDelayed(name)
}
