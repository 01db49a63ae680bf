// What extracts hold: npm run eval extract [--only NAME] [--print] [--opened]
// Sessions with tagged facts (eval/reader/*.jsonl, one session a line) and written ones (eval/notes/*/*.session). Counted:
// how many of the facts, dangers, medicines and decisions have their words in the note, and how much of the talk the note
// repeats; of danger also how many stretches are in neither note nor list, and of those which the reader had found: none may be.
// With --opened the whole sessions that were opened for earlier measurements are gone through instead. Whether a quote stands in the right place and is understood by itself, only people can judge.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openReader } from '../packages/server/dist/engines/reader/open-reader.js'
import { makeExtractWriter } from '../packages/server/dist/engines/writer/extract/extract-writer.js'
import {
  countWords,
  isContentWord,
  stemWord,
  tokenizeWords,
} from '../packages/server/dist/engines/text/tokenize-words.js'
import { compareNote } from '../packages/server/dist/engines/ledger/compare-note.js'
import { builtInTemplate } from '../packages/server/dist/engines/writer/templates/built-in-templates.js'
import { toNoteSections } from '../packages/server/dist/engines/writer/to-note-sections.js'
import { readSessions } from './notes/read-session.js'

const { values: options } = parseArgs({
  options: { only: { type: 'string' }, print: { type: 'boolean' }, opened: { type: 'boolean' } },
})
const folder = (name) => fileURLToPath(new URL(name, import.meta.url))
const { signal } = new AbortController()

/** A fact is held if three of five of its words that were said at its turns stand in quotes of these turns. */
const shareOfWordsMin = 0.6

const speakers = { T: 'clinician', C: 'client', O: 'speaker_3' }
const wordsPerSecond = 2.5

function readTagged(line) {
  const session = JSON.parse(line)
  let seconds = 0
  const transcript = session.turns.map(([who, text]) => {
    const startTime = seconds
    seconds += text.split(' ').length / wordsPerSecond
    return { startTime, endTime: seconds, speaker: speakers[who], transcript: text }
  })
  return { name: session.id, noteType: session.noteType ?? 'soap', transcript, tagged: session }
}

function listSets() {
  const sets = {}
  const tagged = folder(options.opened ? 'reader/opened' : 'reader')
  for (const name of existsSync(tagged) ? readdirSync(tagged) : []) {
    if (!name.endsWith('.jsonl') || (options.opened && !name.startsWith('whole-'))) continue
    const lines = readFileSync(`${tagged}/${name}`, 'utf8').split('\n')
    sets[name.slice(0, -'.jsonl'.length)] = lines.filter((line) => line.trim() !== '').map(readTagged)
  }
  if (options.opened) return sets
  for (const name of ['sessions', 'held-out', 'messy', 'opened'])
    sets[`written, ${name}`] = readSessions(folder(`notes/${name}`))
  return sets
}

const stems = (text) =>
  new Set(
    tokenizeWords(text)
      .map(({ lower }) => lower)
      .filter(isContentWord)
      .map(stemWord),
  )

function holds(lines, { gist, turns }, transcript) {
  const near = lines.filter(({ transcriptItems }) => transcriptItems.some((item) => turns.includes(item)))
  const said = stems(turns.map((turn) => transcript[turn]?.transcript ?? '').join(' '))
  const wanted = [...stems(gist)].filter((stem) => said.has(stem))
  if (wanted.length === 0) return near.length > 0
  const quoted = stems(near.map(({ text }) => text).join(' '))
  return wanted.filter((stem) => quoted.has(stem)).length >= shareOfWordsMin * wanted.length
}

const isCited = (lines, { turns }) =>
  lines.some(({ transcriptItems }) => transcriptItems.some((item) => turns.includes(item)))

function measure({ transcript, tagged, facts = [] }, sections) {
  const lines = sections.flatMap(({ sentences }) => sentences)
  const counts = {}
  const count = (what, of, isThere) => {
    if (of.length > 0) counts[what] = { held: of.filter(isThere).length, all: of.length }
  }
  if (tagged !== undefined) {
    // Some who wrote sets do not say where a fact was told.
    const everywhere = transcript.map((_, index) => index)
    const placed = (fact) => (typeof fact === 'string' ? { gist: fact, turns: everywhere } : fact)
    count('facts', tagged.facts ?? [], (fact) => holds(lines, placed(fact), transcript))
    for (const kind of ['danger', 'medicines', 'allergies', 'scores', 'decisions'])
      count(kind, tagged[kind] ?? [], (one) => isCited(lines, one))
  } else {
    const text = lines.map((line) => line.text).join('\n')
    count('patterns', facts, ({ pattern }) => pattern.test(text))
  }
  return counts
}

/** Danger and medicines stand outside the limit. */
function countOwnWords(sections) {
  let total = 0
  for (const { key, sentences } of sections) {
    let isOutside = key === 'current_medications' || key === 'medication_changes'
    for (const { text } of sentences) {
      if (/^[A-Z][\p{L} ]+:$/u.test(text)) isOutside = /^(?:Danger|Medicines|Allergies):$/.test(text)
      if (!isOutside) total += countWords(text)
    }
  }
  return total
}

/** Stretches about danger that neither a quote nor the review list has, and how many of them the reader had found. */
function countUntold({ noteType, transcript, tagged }, { sections, findings }) {
  const { review } = compareNote({
    sections: toNoteSections(builtInTemplate(noteType), sections),
    findings,
    transcript,
  })
  const told = [...sections.flatMap(({ sentences }) => sentences), ...review.filter(isDanger)]
  const untold = (tagged?.danger ?? []).filter((one) => !isCited(told, one))
  const isFound = ({ turns }) =>
    findings.some((one) => isDanger(one) && one.items.some((item) => turns.includes(item)))
  return { all: untold.length, found: untold.filter(isFound).length }
}

const isDanger = ({ kind }) => kind === 'danger'

const reader = openReader()
const writer = makeExtractWriter()
for (const [set, sessions] of Object.entries(listSets())) {
  const totals = {}
  const words = { said: 0, written: 0, own: 0, untold: 0, lost: 0 }
  for (const session of sessions) {
    if (options.only !== undefined && !session.name.includes(options.only)) continue
    const reading = await reader.read(session.transcript, signal)
    const { noteType, transcript } = session
    let note
    for await (const event of writer.writeNote(
      { noteType, transcript, reading, treatmentApproaches: [] },
      signal,
    ))
      if (event.kind === 'end') note = event.note
    const untold = countUntold(session, note)
    words.untold += untold.all
    words.lost += untold.found
    for (const [what, { held, all }] of Object.entries(measure(session, note.sections))) {
      const total = (totals[what] ??= { held: 0, all: 0 })
      total.held += held
      total.all += all
    }
    const said = transcript.reduce((sum, item) => sum + countWords(item.transcript), 0)
    // Shorter talk may be quoted whole.
    if (said >= 400) {
      words.said += said
      words.own += countOwnWords(note.sections)
      words.written += note.sections
        .flatMap(({ sentences }) => sentences)
        .reduce((sum, { text }) => sum + countWords(text), 0)
    }
    if (options.print) print(session, note)
  }
  const held = Object.entries(totals).map(
    ([what, { held: some, all }]) => `${what} ${some} of ${all} (${percent(some, all)})`,
  )
  process.stdout.write(
    `${set}: ${held.join(', ')}; danger in neither note nor list ${words.untold}, of it found by the reader ${words.lost}; words ${percent(words.written, words.said)} of the talk, without danger and medicines ${percent(words.own, words.said)}\n`,
  )
  if (words.lost > 0) process.exitCode = 1
}
await reader.close()
await writer.close()

function print({ name, noteType }, { sections }) {
  process.stdout.write(`\n# ${name} (${noteType})\n`)
  for (const { key, sentences } of sections)
    process.stdout.write(`\n## ${key}\n${sentences.map(({ text }) => `- ${text}`).join('\n')}\n`)
}

function percent(part, whole) {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`
}
