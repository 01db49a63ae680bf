// npm run eval prose [FOLDER]: the whole way of a note with a capable model's recorded answers. Goals: of true sentences at most
// 3 % marked; every danger that was said stands in the note or in its review list; no false "not asked"; with FOLDER (sessions/ and
// false/), of 300 sentences with known truth at least 90 % of the false ones caught and at most 3 % of the true ones refused.
// Answers whose prompt has changed since are reported as stale.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildWhatIsStale } from '../bin/build.js'
import { readWholeSessions, toTranscript } from './prose/read-sets.js'
import { RecordedModel } from './prose/recorded-model.js'

buildWhatIsStale()
const engines = '../packages/server/dist/engines'
const { makeNoteChecker } = await import(`${engines}/checker/note-checker.js`)
const { openReader } = await import(`${engines}/reader/open-reader.js`)
const { makeProseWriter } = await import(`${engines}/writer/prose/prose-writer.js`)
const { toNoteSections } = await import(`${engines}/writer/to-note-sections.js`)
const { hasRecorded, verifyFalse } = await import('./prose/verify-false.js')

const at = (path) => fileURLToPath(new URL(path, import.meta.url))
const [folder = '', shown = ''] = process.argv.slice(2)
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
  notAsked: 0,
}
const stale = []

for (const session of readWholeSessions()) {
  const file = at(`prose/recorded/${session.id}.json`)
  if (existsSync(file)) await replay(session, new RecordedModel(file))
}
await reader.close()
await checker.close()
const goals = [report(), await reportFalse()]
process.exitCode = goals.every(Boolean) ? 0 : 1

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
  const sections = toNoteSections(session.noteType, note.sections)
  const { entries, review } = await checker.compare({ sections, findings: note.findings, transcript })
  totals.left += sections.flatMap(({ evidence }) => evidence).filter(({ supported }) => !supported).length
  countDanger(session, { sections, entries, review })
}

/** What exact checks and the first verification refused, against what was judged by hand. */
function countRefused(session, model, { request, verdicts }) {
  const drafts = request.sections.flatMap(({ sentences }, section) =>
    sentences.map((sentence, place) => ({ ...sentence, exact: verdicts[section][place] })),
  )
  totals.sentences += drafts.length
  const asked = drafts.filter(({ exact }) => exact === null)
  const refusedByModel = new Map(
    (model.answers['verification-1']?.answer.verdicts ?? [])
      .filter(({ verdict }) => verdict === 'refused')
      .map(({ n, reason }) => [asked[n - 1], reason]),
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
    // A sentence that rests on the item tells it, whatever reader and model called it.
    ...sections.flatMap(({ evidence }) => evidence.flatMap(({ transcriptItems }) => transcriptItems)),
  ])
  totals.danger += danger.length
  const untold = danger.filter(({ turns }) => !turns.some((turn) => told.has(turn)))
  totals.untold += untold.length
  const text = sections.map(({ content }) => content).join('\n')
  const says = (words) => new RegExp(`${words}[^.]*: not asked, not mentioned`, 'i').test(text)
  const isOf = (...matters) => danger.some(({ matter }) => matters.includes(matter))
  if (says('suicide') && isOf('suicide', 'self_harm')) totals.notAsked += 1
  if (says('harm to others') && isOf('harm_to_others')) totals.notAsked += 1
  for (const { turns, gist } of untold) process.stdout.write(`${id}: not told, ${turns.join(' ')}: ${gist}\n`)
}

function report() {
  const { sentences, refused, unjudged, wrongly, left, danger, untold, notAsked, sessions } = totals
  const share = (part, whole) => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`
  process.stdout.write(
    [
      `sessions replayed: ${sessions}; stale answers: ${stale.length}${stale.length > 0 ? ` (${stale.slice(0, 6).join(', ')} …)` : ''}`,
      `draft sentences: ${sentences}; refused at first: ${refused} (${share(refused, sentences)}), of them true by hand: ${wrongly} (${share(wrongly, sentences)}), not judged by hand: ${unjudged}`,
      `still marked after repair: ${left} (${share(left, sentences)})`,
      `danger said: ${danger} episodes; neither in the note nor in its list: ${untold}`,
      `false "not asked": ${notAsked}`,
      '',
    ].join('\n'),
  )
  return sessions > 0 && wrongly <= markedShareMax * sentences && untold === 0 && notAsked === 0
}

async function reportFalse() {
  if (folder === '' || !existsSync(folder) || !hasRecorded(folder)) return true
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
