import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface ReceivedMail {
  from: string
  to: string[]
  /** As it came over the wire. */
  raw: string
}

export interface TestMailServer {
  url: string
  received: ReceivedMail[]
  /** What the next recipients are answered; empty: they are taken. */
  refuseWith: { code: number; times: number } | null
  /** While true, the server has a mail but does not say so. */
  isSilent: boolean
  close(): Promise<void>
}

/** A real SMTP server on a free port of this machine. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<TestMailServer> {
  const received: ReceivedMail[] = []
  const state: Pick<TestMailServer, 'refuseWith' | 'isSilent'> = { refuseWith: null, isSilent: false }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    ...options,
    onRcptTo: (_address, _session, callback) => {
      const { refuseWith } = state
      if (refuseWith === null || refuseWith.times === 0) {
        callback()
        return
      }
      refuseWith.times -= 1
      callback(Object.assign(new Error('not now'), { responseCode: refuseWith.code }))
    },
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
        })
        if (!state.isSilent) callback()
      })
    },
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.server.address() as AddressInfo
  // Connections that break off are part of some tests; what reached the server is what they look at.
  server.on('error', () => {})
  return Object.assign(state, {
    url: `${options.secure === true ? 'smtps' : 'smtp'}://127.0.0.1:${port}`,
    received,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  })
}

/** The readable parts of a mail: quoted-printable undone, in the order of the mail. */
export function readMail(raw: string): { headers: string; text: string; html: string } {
  const [headers = '', ...rest] = raw.split('\r\n\r\n')
  const body = rest.join('\r\n\r\n')
  const boundary = /boundary="([^"]+)"/.exec(headers)?.[1] ?? 'none'
  const parts = body.split(`--${boundary}`).map((part) => {
    const [head = '', ...content] = part.split('\r\n\r\n')
    const joined = content.join('\r\n\r\n')
    return { head, content: /quoted-printable/i.test(head) ? decodeQuotedPrintable(joined) : joined }
  })
  const find = (type: string): string => parts.find(({ head }) => head.includes(type))?.content ?? ''
  return { headers, text: find('text/plain'), html: find('text/html') }
}

function decodeQuotedPrintable(text: string): string {
  const bytes = text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
