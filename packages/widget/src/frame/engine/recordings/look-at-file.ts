import { findKind, type FileKind, type ForeignKind } from './file-kinds.js'

/** An MP3's first frames lie within a few kilobytes of its tag. */
const headBytes = 64 * 1024
/** A file on a slow network drive; what cannot be told by then is left to the service. */
const lookWithinMs = 5_000

const foreign: Record<ForeignKind, string> = {
  wma: 'WMA',
  avi: 'AVI',
  amr: 'AMR',
  aiff: 'AIFF',
  caf: 'CAF',
}

const mimeTypes: Record<FileKind, readonly string[]> = {
  mp3: ['audio/mpeg'],
  aac: ['audio/aac'],
  wav: ['audio/wav'],
  flac: ['audio/flac'],
  ogg: ['audio/ogg'],
  mp4: ['audio/mp4', 'video/mp4'],
  webm: ['audio/webm', 'video/webm'],
}

/** `text`: which of the engine's texts says it. `isDoubt`: the service may be able to read it all the same. */
export interface FileFault {
  text:
    'fileNoRecording' | 'fileForeign' | 'fileBroken' | 'fileMute' | 'fileSilent' | 'fileDoubtful' | 'fileGone'
  kind?: string
  isDoubt?: boolean
}

/**
 * Before anything is begun for it: what is no recording leaves no session behind. Null: nothing speaks against it. Final is only
 * what nobody could hear; whatever else may be somebody's only recording. It imports nothing that the first screen does, because
 * that would be a file more to be asked for there.
 */
export async function lookAtFile(file: File): Promise<FileFault | null> {
  const found = await findKind((from) => readBytes(file, from)).catch(() => null)
  // Moved or deleted since it was chosen, or on a drive that is gone.
  if (found === null) return { text: 'fileGone' }
  const { kind, isTagged } = found
  if (kind === null) return isTagged ? { text: 'fileBroken', isDoubt: true } : lookByType(file)
  if (isForeign(kind)) return { text: 'fileForeign', kind: foreign[kind] }
  const heard = await measureSeconds(file, mimeTypes[kind])
  if (heard === 'nothing') return { text: 'fileSilent' }
  if (heard === 'mute') return { text: 'fileMute', isDoubt: true }
  // Browsers read fewer codecs than the service: only the clinician knows whether it plays elsewhere.
  return heard === 'unreadable' ? { text: 'fileDoubtful', isDoubt: true } : null
}

/** For bytes that nothing is known by: the service reads more than is told apart here, MPEG layer II for one. */
async function lookByType(file: File): Promise<FileFault | null> {
  if (!/^(?:audio|video)\//.test(file.type)) return { text: 'fileNoRecording' }
  const heard = await measureSeconds(file, [file.type])
  return heard === 'sound' ? null : { text: 'fileDoubtful', isDoubt: true }
}

const isForeign = (kind: FileKind | ForeignKind): kind is ForeignKind => kind in foreign

const readBytes = async (file: File, from: number): Promise<Uint8Array> =>
  new Uint8Array(await file.slice(from, from + headBytes).arrayBuffer())

/** `mute`: a film of which a moment was played without any sound. */
type Heard = 'sound' | 'nothing' | 'mute' | 'unreadable' | 'unknown'

/** What browsers tell of a film's sound, each in its own way. */
interface FilmPlayer extends HTMLVideoElement {
  audioTracks?: { length: number }
  mozHasAudio?: boolean
  webkitAudioDecodedByteCount?: number
}

/** Nobody hears of it: a browser decodes what it plays silently, too. */
async function playMoment(player: FilmPlayer): Promise<Heard> {
  const { audioTracks, mozHasAudio } = player
  if (audioTracks?.length === 0 || mozHasAudio === false) return 'mute'
  if (player.webkitAudioDecodedByteCount === undefined) return 'sound'
  player.muted = true
  const isOver = new Promise((resolve) => {
    player.addEventListener('timeupdate', () => player.currentTime > 0.2 && resolve(null))
    player.addEventListener('ended', resolve)
  })
  await player.play()
  await isOver
  return player.webkitAudioDecodedByteCount === 0 ? 'mute' : 'sound'
}

/** As the browser's player sees it; `unknown` where it plays no such files, or takes too long. */
function measureSeconds(file: File, types: readonly string[]): Promise<Heard> {
  const player: FilmPlayer = document.createElement('video')
  if (types.every((type) => player.canPlayType(type) === '')) return Promise.resolve('unknown')
  const href = URL.createObjectURL(file)
  return new Promise<Heard>((resolve) => {
    // What a recorder streamed has no duration in its head: infinite, or none.
    player.addEventListener('loadedmetadata', () => {
      if (player.duration === 0) resolve('nothing')
      else if (player.videoWidth === 0) resolve('sound')
      else playMoment(player).then(resolve, () => resolve('unknown'))
    })
    player.addEventListener('error', () => resolve('unreadable'))
    setTimeout(() => resolve('unknown'), lookWithinMs)
    player.preload = 'metadata'
    player.src = href
  }).finally(() => {
    player.pause()
    player.removeAttribute('src')
    URL.revokeObjectURL(href)
  })
}
