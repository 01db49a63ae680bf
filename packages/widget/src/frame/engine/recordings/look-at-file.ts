import { fill } from '../../texts/fill.js'
import { engineTexts } from '../../texts/texts.js'
import { EngineError, FileRefusal } from '../engine.js'
import { hasMp3Frames, skipTag, tellKind, type FileKind, type ForeignKind } from './file-kinds.js'

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

/** Before anything is begun for it: what is no recording leaves no session behind. */
export async function requireRecording(file: File): Promise<void> {
  const name = file.name
  const kind = tellKind(await readBytes(file, 0))
  if (kind === null) throw new FileRefusal(fill(engineTexts.fileNoRecording, { name }))
  if (isForeign(kind)) throw new FileRefusal(fill(engineTexts.fileForeign, { name, kind: foreign[kind] }))
  if (kind === 'mp3') {
    const head = await readBytes(file, 0)
    const sound = await readBytes(file, skipTag(head))
    if (!hasMp3Frames(sound)) throw new FileRefusal(fill(engineTexts.fileBroken, { name }))
  }
  const heard = await measureSeconds(file, kind)
  if (heard === 'nothing') throw new FileRefusal(fill(engineTexts.fileSilent, { name }))
  // Browsers read fewer codecs than the service: only the clinician knows whether it plays elsewhere.
  if (heard === 'unreadable') throw new FileRefusal(fill(engineTexts.fileDoubtful, { name }), true)
}

const isForeign = (kind: FileKind | ForeignKind): kind is ForeignKind => kind in foreign

async function readBytes(file: File, from: number): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.slice(from, from + headBytes).arrayBuffer())
  } catch (cause) {
    // Moved or deleted since it was chosen, or on a drive that is gone.
    throw new EngineError(engineTexts.fileGone, 0, { cause })
  }
}

/** As the browser's player sees it; `unknown` where it plays no such files, or takes too long. */
function measureSeconds(file: File, kind: FileKind): Promise<'sound' | 'nothing' | 'unreadable' | 'unknown'> {
  const player = document.createElement('video')
  if (mimeTypes[kind].every((type) => player.canPlayType(type) === '')) return Promise.resolve('unknown')
  const href = URL.createObjectURL(file)
  return new Promise<'sound' | 'nothing' | 'unreadable' | 'unknown'>((resolve) => {
    // What a recorder streamed has no duration in its head: infinite, or none.
    player.addEventListener('loadedmetadata', () => resolve(player.duration === 0 ? 'nothing' : 'sound'))
    player.addEventListener('error', () => resolve('unreadable'))
    setTimeout(() => resolve('unknown'), lookWithinMs)
    player.preload = 'metadata'
    player.src = href
  }).finally(() => {
    player.removeAttribute('src')
    URL.revokeObjectURL(href)
  })
}
