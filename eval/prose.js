// npm run eval prose [FOLDER] [--only SESSION]: the whole way of a note with a capable model's recorded answers. Goals: of true sentences at most
// 3 % marked; every danger that was said is stated as found, or in the review list; no false "not asked"; with FOLDER (sessions/ and
// false/), of 300 sentences with known truth at least 90 % of the false ones caught and at most 3 % of the true ones refused.
// Answers whose prompt has changed since are reported as stale.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { makeNoteChecker } from '../packages/server/dist/engines/checker/note-checker.js'
import { saysNotAsked } from '../packages/server/dist/engines/ledger/says-not-asked.js'
import { openReader } from '../packages/server/dist/engines/reader/open-reader.js'
import { makeProseWriter } from '../packages/server/dist/engines/writer/prose/prose-writer.js'
import { batchMax } from '../packages/server/dist/engines/writer/prose/verify-sentences.js'
import { builtInTemplate } from '../packages/server/dist/engines/writer/templates/built-in-templates.js'
import { toNoteSections } from '../packages/server/dist/engines/writer/to-note-sections.js'
import { readWholeSessions, toTranscript } from './prose/read-sets.js'
import { RecordedModel } from './prose/recorded-model.js'
import { hasRecorded, verifyFalse } from './prose/verify-false.js'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' } },
})
const [folder = '', shown = ''] = positionals
const markedShareMax = 0.03
const caughtShareMin = 0.9

/** By hand: of the sentences that were refused at first, which are true all the same. */
const judgedFile = at('prose/judged.json')
const judged = existsSync(judgedFile) ? JSON.parse(readFileSync(judgedFile, 'utf8')) : {}

const reader = openReader()
const checker = makeNoteChecker()
const signal = new AbortController().signal
const totals = {
  sessions: 0,
  sentences: 0,
  refused: 0,
  unjudged: 0,
  wrongly: 0,
  left: 0,
  danger: 0,
  untold: 0,
  onlyCited: 0,
  notAsked: 0,
}
const stale = []

for (const session of readWholeSessions()) {
  if (options.only !== undefined && session.id !== options.only) continue
  const file = at(`prose/recorded/${session.id}.json`)
  if (existsSync(file)) await replay(session, new RecordedModel(file))
}
await reader.close()
await checker.close()
const goals = [report(), await reportFalse()]
process.exitCode = goals.some((isReached) => isReached === false) ? 1 : 0

async function replay(session, model) {
  const transcript = toTranscript(session.turns)
  const reading = await reader.read(transcript, signal)
  const exact = []
  const watching = {
    ...checker,
    checkExactly: async (request) => {
      const verdicts = await checker.checkExactly(request)
      if (exact.length === 0) exact.push({ request, verdicts })
      return verdicts
    },
  }
  const request = { noteType: session.noteType, transcript, reading, treatmentApproaches: [] }
  let note = null
  try {
    for await (const event of makeProseWriter(model, watching).writeNote(request, signal)) {
      if (event.kind === 'end') note = event.note
    }
  } catch (error) {
    process.stdout.write(`${session.id}: ${error.message}\n`)
    return
  }
  stale.push(...model.stale.map((key) => `${session.id} ${key}`))
  totals.sessions += 1
  countRefused(session, model, exact[0])
  const sections = toNoteSections(builtInTemplate(session.noteType), note.sections)
  const { entries, review } = await checker.compare({ sections, findings: note.findings, transcript })
  totals.left += sections.flatMap(({ evidence }) => evidence).filter(({ supported }) => !supported).length
  countDanger(session, { sections, entries, review })
}

/** As the writer asks: every recorded session fits whole, so that only the number of sentences parts them. */
function batchesOf(asked) {
  const batches = []
  for (let from = 0; from < asked.length; from += batchMax) batches.push(asked.slice(from, from + batchMax))
  return batches
}

/** What exact checks and the first verification refused, against what was judged by hand. */
function countRefused(session, model, { request, verdicts }) {
  const drafts = request.sections.flatMap(({ sentences }, section) =>
    sentences.map((sentence, place) => ({ ...sentence, exact: verdicts[section][place] })),
  )
  totals.sentences += drafts.length
  const asked = drafts.filter(({ exact }) => exact === null)
  const refusedByModel = new Map(
    batchesOf(asked).flatMap((batch, index) =>
      (model.answers[`verification-${index + 1}`]?.answer.verdicts ?? [])
        .filter(({ verdict }) => verdict === 'refused')
        .map(({ n, reason }) => [batch[n - 1], reason]),
    ),
  )
  for (const draft of drafts) {
    const reason = draft.exact?.reason ?? refusedByModel.get(draft) ?? null
    if (reason === null) continue
    totals.refused += 1
    const isTrue = judged[session.id]?.[draft.text]
    if (isTrue === undefined) totals.unjudged += 1
    if (isTrue === true) totals.wrongly += 1
    if (shown === 'refused' || folder === 'refused') {
      const by = draft.exact === null ? 'model' : 'exact'
      process.stdout.write(
        `${JSON.stringify({ id: session.id, by, reason, text: draft.text, items: draft.transcriptItems })}\n`,
      )
    }
  }
}

function countDanger({ id, danger }, { sections, entries, review }) {
  const told = new Set([
    ...entries.flatMap(({ finding, state }) =>
      finding.kind === 'danger' && state === 'stated' ? finding.items : [],
    ),
    ...review.flatMap(({ kind, transcriptItems }) => (kind === 'danger' ? transcriptItems : [])),
  ])
  // A sentence that rests on a turn may be about something else in it: counted apart.
  const cited = new Set(
    sections.flatMap(({ evidence }) =>
      evidence.flatMap(({ supported, transcriptItems }) => (supported ? transcriptItems : [])),
    ),
  )
  totals.danger += danger.length
  const untold = danger.filter(({ turns }) => !turns.some((turn) => told.has(turn)))
  totals.untold += untold.length
  totals.onlyCited += untold.filter(({ turns }) => turns.some((turn) => cited.has(turn))).length
  const unasked = sections
    .flatMap(({ evidence }) => evidence.map(({ sentence }) => sentence))
    .filter(saysNotAsked)
    .join('\n')
  const isOf = (...matters) => danger.some(({ matter }) => matters.includes(matter))
  if (/suicid|self-harm|\bSI\b/i.test(unasked) && isOf('suicide', 'self_harm')) totals.notAsked += 1
  if (/harm to others|homicid|violence/i.test(unasked) && isOf('harm_to_others')) totals.notAsked += 1
  for (const { turns, gist } of untold) process.stdout.write(`${id}: not told, ${turns.join(' ')}: ${gist}\n`)
}

function report() {
  const { sentences, refused, unjudged, wrongly, left, danger, untold, onlyCited, notAsked, sessions } =
    totals
  const share = (part, whole) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`
  process.stdout.write(
    [
      `sessions replayed: ${sessions}; stale answers: ${stale.length}${stale.length > 0 ? ` (${stale.slice(0, 6).join(', ')} …)` : ''}`,
      `draft sentences: ${sentences}; refused at first: ${refused} (${share(refused, sentences)}), of them true by hand: ${wrongly} (${share(wrongly, sentences)}), not judged by hand: ${unjudged}`,
      `still marked after repair: ${left} (${share(left, sentences)})`,
      `danger said: ${danger} episodes; neither stated as found nor in the list: ${untold}, of which a sentence rests on the place: ${onlyCited}`,
      `false "not asked": ${notAsked}`,
      '',
    ].join('\n'),
  )
  return sessions > 0 && wrongly <= markedShareMax * sentences && untold === 0 && notAsked === 0
}

async function reportFalse() {
  if (folder === '' || !existsSync(folder) || !hasRecorded(folder)) {
    process.stdout.write('sentences with known truth: not measured, no FOLDER with them\n')
    return null
  }
  const rows = []
  for await (const row of verifyFalse(folder)) rows.push(row)
  const wrong = rows.filter((row) => !row.true)
  const right = rows.filter((row) => row.true)
  const caught = wrong.filter((row) => row.isCaughtByModel || row.isCaughtExactly)
  const marked = right.filter((row) => row.isCaughtByModel || row.isCaughtExactly)
  const part = (some, all) =>
    `${some.length} of ${all.length} (${((100 * some.length) / all.length).toFixed(1)} %)`
  process.stdout.write(
    `sentences with known truth: false ones caught ${part(caught, wrong)}, by exact checks alone ${part(
      wrong.filter((row) => row.isCaughtExactly),
      wrong,
    )}; true ones refused ${part(marked, right)}; stale ${rows.filter((row) => row.isStale).length}\n`,
  )
  return caught.length >= caughtShareMin * wrong.length && marked.length <= markedShareMax * right.length
}
