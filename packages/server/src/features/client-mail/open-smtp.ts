import { createTransport, type Transporter } from 'nodemailer'

export interface SmtpSettings {
  /** `smtps://` speaks TLS from the start, `smtp://` turns to it; only a server on this machine may go without. */
  url: string
  from: string
}

/** Below a job's lease of 20 s, so that a silent server costs an attempt and not the job. */
const timeoutMs = 15_000
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

/** By itself, to be loaded where a server is configured: commands send no mail, and start faster without. */
export function openSmtp({ url, from }: SmtpSettings): Transporter {
  const { hostname } = new URL(url)
  return createTransport(
    {
      url,
      pool: true,
      maxConnections: 2,
      requireTLS: url.startsWith('smtp:') && !loopbackHosts.has(hostname),
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  )
}
