// node eval/make-sample.js: speaks packages/server/samples/medication-management.txt with flite's voices and writes the
// recording and who spoke when beside it. Needs flite (FLITE=path) and ffmpeg with libopus (CASENOTE_FFMPEG=path).
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { mixSession } from './voices/mix-session.js'
import { resample, sampleRate, speakWithFlite } from './voices/synthesize.js'

const base = fileURLToPath(new URL('../packages/server/samples/medication-management', import.meta.url))
/** rms drawls: a tenth faster is a usual conversation. */
const speakers = {
  CLINICIAN: { number: 0, voice: 'rms', stretch: 0.88 },
  CLIENT: { number: 1, voice: 'slt', stretch: 0.95 },
}

const turns = readFileSync(`${base}.txt`, 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [, who, text] = /^(CLINICIAN|CLIENT): (.+)$/.exec(line)
    const { number, voice, stretch } = speakers[who]
    return { speaker: number, text, samples: resample(speakWithFlite(voice, text, stretch)) }
  })

const { channels, turns: said } = mixSession(turns, { seed: 20, overlapRate: 0.06, gains: [1, 0.85] })
const roles = ['clinician', 'client']
const truth = said.map(({ speaker, startSeconds, endSeconds, text }) => ({
  role: roles[speaker],
  startSeconds: Number(startSeconds.toFixed(2)),
  endSeconds: Number(endSeconds.toFixed(2)),
  text,
}))
writeFileSync(
  `${base}.json`,
  `${JSON.stringify(truth, null, 2)}
`,
)
execFileSync(
  process.env.CASENOTE_FFMPEG ?? 'ffmpeg',
  `-v error -y -f f32le -ar ${sampleRate} -ac 1 -i - -c:a libopus -b:a 24k -application voip -map_metadata -1`
    .split(' ')
    .concat(`${base}.ogg`),
  { input: Buffer.from(channels[0].buffer) },
)
