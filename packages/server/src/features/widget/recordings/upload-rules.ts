import { isId, type UploadId } from '../../../kernel/ids.js'
import { refuse } from '../../../kernel/refuse.js'

/** Three hours of uncompressed stereo are 2 GiB; a recorded session is some 15 MB an hour. */
export const uploadBytesMax = 2 * 1_024 ** 3

/** A new segment begins after a crash or with another microphone: a session with more is no session. */
export const segmentsMax = 200

/** An upload that nobody finishes is deleted, and its session ends: nobody comes back to it after a month. */
export const unfinishedDays = 30

/** 410, and never 409: the frame takes it as the word to send the recording as another session. */
export const refuseCutOff = () =>
  refuse.gone('recording_cut_off', 'What had arrived became the recording when its clinician was deactivated')

export interface UploadCreation {
  uploadId: UploadId
  segment: number
  mimeType: string
  /** Null: told later, with `Upload-Length` of a PATCH. */
  lengthBytes: number | null
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The headers of tus 1.0.0 "creation" and "creation-defer-length", with the metadata that the frame sends. */
export function readCreation(headers: Headers): UploadCreation {
  const metadata = readMetadata(text(headers['upload-metadata']))
  const lengthBytes = readLength(headers)
  const segment = Number(metadata.get('segment') ?? '0')
  const mimeType = metadata.get('mimeType') ?? ''
  const uploadId = metadata.get('uploadId') ?? ''
  const problems = [
    ...(isId(uploadId) ? [] : ['uploadId in Upload-Metadata must be a UUID']),
    ...(Number.isInteger(segment) && segment >= 0 && segment < segmentsMax
      ? []
      : [`segment in Upload-Metadata must be a whole number below ${segmentsMax}`]),
    ...(mimeTypePattern.test(mimeType)
      ? []
      : ['mimeType in Upload-Metadata must be the media type of a recording']),
    ...(lengthBytes === null && headers['upload-defer-length'] !== '1'
      ? ['Upload-Length or Upload-Defer-Length: 1 is needed']
      : []),
  ]
  if (problems.length > 0) throw refuse.invalid(problems)
  return { uploadId, segment, mimeType, lengthBytes }
}

/** What it really is, ffmpeg finds out; this keeps the column to what recorders and file choosers say. */
const mimeTypePattern = /^(?:audio|video|application)\/[\w.+-]{1,100}(?:; ?codecs="?[\w.,+ -]{1,100}"?)?$/

/** Null: the header is not there. */
export function readLength(headers: Headers): number | null {
  const given = text(headers['upload-length'])
  if (given === '') return null
  const length = readCount(given)
  if (length === null)
    throw refuse.rule('upload_header_invalid', 'Upload-Length must be a whole number of bytes')
  if (length > uploadBytesMax)
    throw refuse.tooLarge('recording_too_large', 'The recording is larger than 2 GiB')
  return length
}

export function readOffset(headers: Headers): number {
  const offset = readCount(text(headers['upload-offset']))
  if (offset === null)
    throw refuse.rule('upload_header_invalid', 'Upload-Offset must be a whole number of bytes')
  return offset
}

const readCount = (given: string): number | null => (/^\d{1,15}$/.test(given) ? Number(given) : null)

const text = (header: string | string[] | undefined): string => (typeof header === 'string' ? header : '')

/** `name base64, name base64`; what is no such pair is left out. */
function readMetadata(header: string): Map<string, string> {
  const pairs = header.split(',').map((pair) => pair.trim().split(' '))
  return new Map(
    pairs.map(([name = '', value = '']) => [name, Buffer.from(value, 'base64').toString('utf8')]),
  )
}
