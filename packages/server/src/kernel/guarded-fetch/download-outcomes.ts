import { errnoOf } from '../errno.js'
/**
 * How a download can fail, each with a sentence that a partner can act on. No sentence holds the URL or what the
 * server said: presigned URLs are secrets, and an answer is somebody else's text.
 */
export const DOWNLOAD_FAILURES = {
  target_refused:
    'The file was not fetched: its address, or one that it redirects to, is not a public https address on port 443 or 8443.',
  too_many_redirects:
    'The file was not fetched: its address redirects more than three times. Give the final address.',
  certificate_invalid:
    "The file was not fetched: the file server's certificate is expired, self-signed or made for another name.",
  link_refused:
    'The file was not fetched: the file server refused the link. It may have expired or need credentials; give a new link that works without any.',
  not_found: 'The file was not fetched: the file server has no file at this link.',
  unexpected_status:
    'The file was not fetched: the file server answered with neither a file nor an error that passes. Open the link to see what it answers.',
  compressed:
    'The file was not fetched: the file server compresses its answer (Content-Encoding). Serve the file as it is.',
  web_page:
    'The file was not fetched: the link leads to a web page, not to a recording. Give a link to the file itself.',
  empty_file: 'The file was not fetched: it is empty.',
  too_large: 'The file was not fetched: it is larger than 2 GiB.',
  file_changed:
    'The file was not fetched: it changed while it was read. Give a link to a file that is complete.',
  unreachable: 'The file was not fetched: the file server could not be reached for an hour.',
  unavailable:
    'The file was not fetched: the file server answered for an hour that it is busy or out of order.',
  broken_off: 'The file was not fetched: the file server kept breaking off the transfer for an hour.',
  too_slow:
    'The file was not fetched: the file server sends too slowly. It must send at least 64 KiB in 30 seconds, and the whole file within an hour.',
} as const

export type DownloadFailure = keyof typeof DOWNLOAD_FAILURES

export type DownloadOutcome =
  | { status: 'complete'; sizeBytes: number; contentType: string | null }
  | { status: 'failed'; code: DownloadFailure; message: string }
  /** The download is to be continued, by anyone, after so long. */
  | { status: 'interrupted'; code: DownloadFailure; retryInMs: number }

/** Why one attempt ended without the file. `isTransient`: another attempt may do better. */
export class AttemptFailed extends Error {
  constructor(
    readonly code: DownloadFailure,
    readonly isTransient: boolean,
    /** What the server asked for, in milliseconds from now. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(code)
    this.name = 'AttemptFailed'
  }
}

/** Errors of Node's certificate check. They do not pass within an hour. */
const certificateErrors =
  /^(CERT_|ERR_TLS_CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(GET|VERIFY|DECODE)_|HOSTNAME_MISMATCH)/

/** What an error of the connection means. `hasBody`: the answer had begun. */
export function classifyConnectionError(error: unknown, hasBody: boolean): AttemptFailed {
  const code = errnoOf(error) ?? ''
  if (code === 'target_refused') return new AttemptFailed('target_refused', false)
  if (certificateErrors.test(code)) return new AttemptFailed('certificate_invalid', false)
  return new AttemptFailed(hasBody ? 'broken_off' : 'unreachable', true)
}

/** What a status without the file means; null for 200 and 206. */
export function classifyStatus(status: number, retryAfterMs: number | null): AttemptFailed | null {
  if (status === 200 || status === 206) return null
  if (status === 401 || status === 403) return new AttemptFailed('link_refused', false)
  if (status === 404 || status === 410) return new AttemptFailed('not_found', false)
  const isBusy = status === 408 || status === 425 || status === 429 || status >= 500
  if (isBusy) return new AttemptFailed('unavailable', true, retryAfterMs)
  return new AttemptFailed('unexpected_status', false)
}
