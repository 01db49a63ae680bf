// Sessions with known speakers: each dialogue of dialogues.txt in several casts, as one microphone or two hear them.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { mixSession } from './mix-session.js'
import { cacheFolder, openPiper, resample, speakWithFlite } from './synthesize.js'

/** Voice and pitch of clinician (T), client (C) and the client's partner (P). A pitch moves the formants as well. */
export const casts = {
  'man and woman': { T: ['ryan', 1], C: ['hfc_female', 1], P: ['ryan', 1.14] },
  'woman and man': { T: ['hfc_female', 1.04], C: ['ryan', 0.96], P: ['hfc_female', 0.9] },
  'two men': { T: ['ryan', 0.93], C: ['ryan', 1.1], P: ['hfc_female', 1] },
  'two women': { T: ['hfc_female', 0.92], C: ['hfc_female', 1.1], P: ['ryan', 1] },
}

/** Other synthesizers' voices, where flite is installed (or FLITE names it). */
export const fliteCasts = {
  'flite: man and woman': { T: ['flite:rms', 1], C: ['flite:slt', 1], P: ['flite:awb', 1] },
  'flite: two men': { T: ['flite:awb', 1], C: ['flite:rms', 1], P: ['flite:slt', 1] },
}

export function readDialogues() {
  const text = readFileSync(new URL('dialogues.txt', import.meta.url), 'utf8')
  return text
    .split(/^# /m)
    .filter((part) => part !== '')
    .map((part) => {
      const [name, ...lines] = part.trim().split('\n')
      return { name, lines: lines.map((line) => ({ speaker: line[0], text: line.slice(3) })) }
    })
}

let piper = null

function speakOnce(voice, text) {
  const name = createHash('sha256').update(`${voice}\n${text}`).digest('hex').slice(0, 24)
  const folder = join(cacheFolder, 'said')
  const file = join(folder, `${name}.f32`)
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true })
    piper ??= openPiper()
    const said = voice.startsWith('flite:') ? speakWithFlite(voice.slice(6), text) : piper(voice, text, 1)
    writeFileSync(file, resample(said))
  }
  const bytes = readFileSync(file)
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
}

export function makeSession({ lines }, cast, options) {
  const turns = lines.map(({ speaker, text }) => {
    const [voice, pitch] = cast[speaker]
    const samples = speakOnce(voice, text)
    return {
      speaker: 'TCP'.indexOf(speaker),
      text,
      samples: pitch === 1 ? samples : resample({ samples, sampleRate: 16_000 }, pitch),
    }
  })
  return mixSession(turns, options)
}
