// node eval/voices.js [words in a session's name]: who speaks, measured on synthetic sessions. Prints the diarization
// error (0.25 s collar, overlaps scored) and the roles of each session, then the totals against the goals.
import { spawnSync } from 'node:child_process'
import { buildWhatIsStale } from '../bin/build.js'
import { casts, fliteCasts, makeSession, readDialogues } from './voices/make-sessions.js'
import { scoreDiarization } from './voices/score-diarization.js'

buildWhatIsStale()
const { assignRoles, cutAtVoiceChanges, groupVoices, openVoiceModel } =
  await import('../packages/server/dist/engines/speech/voices/index.js')

const goals = { oneMicrophone: 0.1, twoChannels: 0.01, roles: 0.95 }

/** What voice activity gives: padded speech, joined over pauses shorter than 0.35 s. */
function listSpeech(turns) {
  const spans = []
  for (const turn of turns.toSorted((a, b) => a.startSeconds - b.startSeconds)) {
    const padded = { startSeconds: Math.max(0, turn.startSeconds - 0.12), endSeconds: turn.endSeconds + 0.12 }
    const last = spans.at(-1)
    if (last !== undefined && padded.startSeconds < last.endSeconds + 0.11)
      last.endSeconds = Math.max(last.endSeconds, padded.endSeconds)
    else spans.push(padded)
  }
  return spans
}

/** The recording is read in chunks of this length, and cut in each for itself. */
const chunkSeconds = 60

async function findTurns(model, session) {
  const clips = []
  for (const [channel, samples] of session.channels.entries()) {
    const own = session.turns.filter(({ speaker }) => session.channels.length === 1 || speaker === channel)
    for (const speech of groupByChunk(listSpeech(own))) {
      const windows = await model.track(samples, 0, speech)
      for (const piece of cutAtVoiceChanges(speech, windows))
        clips.push({ ...piece, channel, vectors: listVectors(piece, windows) })
    }
  }
  const voices = groupVoices(clips)
  return clips.map((clip, i) => ({ ...clip, voice: voices[i], text: findText(session, clip) }))
}

function groupByChunk(speech) {
  const chunks = []
  for (const span of speech) (chunks[Math.floor(span.startSeconds / chunkSeconds)] ??= []).push(span)
  return chunks.filter((chunk) => chunk !== undefined)
}

const listVectors = (span, windows) =>
  windows
    .filter((window) => {
      const centre = (window.startSeconds + window.endSeconds) / 2
      return centre >= span.startSeconds && centre < span.endSeconds
    })
    .map(({ vector }) => vector)

/** The words that were said in a span, spread evenly over their turn: what a perfect recognizer would hear. */
function findText({ turns, channels }, span) {
  return turns
    .filter(({ speaker }) => channels.length === 1 || speaker === span.channel)
    .flatMap(({ text, startSeconds, endSeconds }) => {
      const words = text.split(' ')
      const each = (endSeconds - startSeconds) / words.length
      return words.filter((_, i) => {
        const at = startSeconds + (i + 0.5) * each
        return at >= span.startSeconds && at < span.endSeconds
      })
    })
    .join(' ')
}

/** Right when nobody has another's role; sure when everybody has one that could. In a couple nobody is the one client. */
function judgeRoles(found, mapping) {
  const roles = assignRoles(found)
  const clients = [...mapping.values()].filter((speaker) => speaker > 0).length
  let isRight = true
  let isSure = true
  for (const [voice, role] of roles) {
    const speaker = mapping.get(voice)
    if (speaker === null || speaker === undefined) continue
    if (role.startsWith('speaker_')) isSure &&= speaker > 0 && clients > 1
    else isRight &&= role === (speaker === 0 ? 'clinician' : 'client')
  }
  return { isRight, isSure, roles: [...roles].map(([voice, role]) => `${voice}=${role}`).join(' ') }
}

function* listSessions() {
  const hasFlite = spawnSync(process.env.FLITE ?? 'flite', ['--version']).error === undefined
  const all = Object.entries(hasFlite ? { ...casts, ...fliteCasts } : casts)
  for (const [d, dialogue] of readDialogues().entries())
    for (const [c, [castName, cast]] of all.entries())
      for (const variant of c === 0 && dialogue.name !== 'couple' ? ['', 'two channels', 'noise'] : [''])
        yield {
          name: [dialogue.name, castName, variant].filter((part) => part !== '').join(', '),
          dialogue,
          cast,
          options: {
            seed: 100 * d + c,
            overlapRate: 0.12,
            gains: [1, 0.6, 0.8],
            isTwoChannel: variant === 'two channels',
            // About 15 dB below the speech.
            noiseLevel: variant === 'noise' ? 0.02 : 0.0015,
          },
        }
}

const model = await openVoiceModel()
const wanted = process.argv.slice(2).join(' ')
const results = []
for (const { name, dialogue, cast, options } of listSessions()) {
  if (!name.includes(wanted)) continue
  const session = makeSession(dialogue, cast, options)
  const found = await findTurns(model, session)
  const { rate, speech, errors, missed, confused, mapping } = scoreDiarization(session.turns, found)
  const voices = new Set(found.map(({ voice }) => voice)).size
  const speakers = new Set(session.turns.map(({ speaker }) => speaker)).size
  const judged = judgeRoles(found, mapping)
  results.push({ isTwoChannel: options.isTwoChannel, speech, errors, voices, speakers, ...judged })
  const percent = (value) => `${((100 * value) / speech).toFixed(1)} %`
  process.stdout.write(
    `${(100 * rate).toFixed(1).padStart(5)} %  missed ${percent(missed)} confused ${percent(confused)}  ` +
      `${voices} of ${speakers} voices  ${judged.isRight ? (judged.isSure ? 'roles right' : 'roles open') : 'ROLES WRONG'}  ${name}\n`,
  )
}
await model.close()

const total = (list) =>
  list.reduce((sum, { errors }) => sum + errors, 0) / list.reduce((sum, { speech }) => sum + speech, 0)
const share = (list, isCounted) => list.filter(isCounted).length / list.length
const one = results.filter(({ isTwoChannel }) => !isTwoChannel)
const two = results.filter(({ isTwoChannel }) => isTwoChannel)
const summary = {
  sessions: results.length,
  oneMicrophone: total(one),
  twoChannels: total(two),
  voicesCounted: share(one, ({ voices, speakers }) => voices === speakers),
  rolesRight: share(results, ({ isRight, isSure }) => isRight && isSure),
  rolesWrong: share(results, ({ isRight }) => !isRight),
}
process.stdout.write(`${JSON.stringify(summary)}\n`)
const isGood =
  !(summary.oneMicrophone > goals.oneMicrophone) &&
  !(summary.twoChannels > goals.twoChannels) &&
  summary.rolesRight >= goals.roles
process.exitCode = isGood ? 0 : 1
