// npm run eval reader [FILE…]: what the reader finds in sessions with known truth, by default those of eval/reader/*.jsonl.
// A file has one session a line, in one of two forms: with `danger`, `medicines` and so on (as there), or with the
// topics of each turn as a third field or in `statements`; of the second only danger can be measured.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findAllMedications } from '../packages/server/dist/engines/lexicon/medications.js'
import { substanceOf } from '../packages/server/dist/engines/lexicon/same-substance.js'
import { readAmountsIn } from '../packages/server/dist/engines/text/read-amounts.js'
import { openReader } from '../packages/server/dist/engines/reader/open-reader.js'

/** The goals of the reader's issue, for sets that nobody trained on. */
const goals = { ordinary: 0.97, inPassing: 0.85, falseClusters: 0.8, medicines: 0.95, doses: 0.95 }
/** Smaller sets are printed and not judged. */
const judgedFrom = 20
/** Items of one cluster lie at most so far apart, and so near to a true one they are not false. */
const near = 2

const roles = { T: 'clinician', C: 'client', O: 'speaker_1' }
const dangerTopics = new Set(['risk_self', 'risk_others', 'abuse', 'psychosis'])

function listFiles(args) {
  if (args.length > 0) return args
  const folder = fileURLToPath(new URL('reader', import.meta.url))
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.jsonl'))
        .toSorted()
        .map((name) => join(folder, name))
    : []
}

const readSessions = (file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line))
    .map((session) => ({
      ...session,
      // Some who wrote sets say what an allergy is `to`.
      allergies: session.allergies?.map((one) => ({ ...one, substance: one.substance ?? one.to })),
    }))

const toTranscript = (turns) =>
  turns.map(([who, said], index) => ({
    startTime: index * 5,
    endTime: index * 5 + 5,
    speaker: roles[who] ?? 'speaker_1',
    transcript: said,
  }))

/** Stretches of items that lie near each other. */
function cluster(items) {
  const clusters = []
  for (const item of [...new Set(items)].toSorted((a, b) => a - b)) {
    const last = clusters.at(-1)
    if (last !== undefined && item - last.at(-1) <= near) last.push(item)
    else clusters.push([item])
  }
  return clusters
}

/** The danger of a session that has topics instead of episodes. */
function episodesOfTopics({ turns, statements = [] }) {
  const items = turns.flatMap(([, , topics = []], index) =>
    topics.some((topic) => dangerTopics.has(topic)) ? [index] : [],
  )
  const stated = statements.filter(([topic]) => dangerTopics.has(topic)).flatMap(([, own]) => own)
  return cluster([...items, ...stated]).map((own) => ({ turns: own, inPassing: false }))
}

const genericOf = (name) =>
  substanceOf(findAllMedications(name)[0]?.medication.generic ?? name).replaceAll('-', ' ')
/**
 * How many milligrams are one of these.
 * @type {Readonly<Record<string, number>>}
 */
const milligrams = { gram: 1000, mg: 1, mcg: 0.001 }
const isOfMass = (unit) => milligrams[unit] !== undefined || unit === 'ml' || unit === 'percent'
/**
 * "two of the 200 mg at night" is 200, "two 500s" 500. Null: no strength is told, but how many pieces or how often, as in
 * "two at night" and "six puffs a day", which the reader gives as how a medicine is used.
 */
const strengthOf = (dose) => {
  const amounts = readAmountsIn(dose ?? '')
  const bare = amounts.filter(({ form, unit }) => form === 'digits' && unit === null)
  const largest = bare.toSorted((one, other) => Number(other.values[0]) - Number(one.values[0]))[0]
  const amount = amounts.find(({ unit }) => isOfMass(unit)) ?? largest
  if (amount === undefined) return null
  const factor = milligrams[amount.unit ?? 'mg']
  const values = amount.values.map((value) => (factor === undefined ? value : String(Number(value) * factor)))
  return { values, unit: factor === undefined || amount.unit === null ? amount.unit : 'mg' }
}
/** Without a unit a number may be of any: "ten" of 10 mg, "seventy-five" of 75 micrograms. */
const isSameDose = (one, other) => {
  const [first, second] = [strengthOf(one), strengthOf(other)]
  if (first === null || second === null) return false
  const [bare, written] = first.unit === null ? [first, second] : [second, first]
  const isSame = bare.values.some((value) => written.values.includes(value))
  if (bare.unit !== null || written.unit !== 'mg') return isSame && bare.unit === written.unit
  return isSame || bare.values.some((value) => written.values.includes(String(Number(value) / 1000)))
}

/** Who writes sessions says what becomes of a medicine in other words than the findings; a set has the words of one of the two. */
const statusesOf = {
  taking: ['taken', 'kept'],
  started: ['started'],
  changed: ['raised', 'lowered', 'started'],
  stopped: ['stopped', 'past'],
  refused: ['declined'],
  asked: ['considered', 'mentioned'],
  other: ['mentioned', 'past', 'considered'],
}
const isSameStatus = (found, written) => (statusesOf[written] ?? [written]).includes(found)

class Tally {
  counts = new Map()
  add(name, isRight) {
    const [right, all] = this.counts.get(name) ?? [0, 0]
    this.counts.set(name, [right + (isRight ? 1 : 0), all + 1])
  }
  share(name) {
    const [right, all] = this.counts.get(name) ?? [0, 0]
    return all === 0 ? null : right / all
  }
  count(name) {
    return this.counts.get(name)?.[1] ?? 0
  }
  line(name, label = name) {
    const [right, all] = this.counts.get(name) ?? [0, 0]
    return all === 0
      ? `  ${label}: none`
      : `  ${label}: ${right} of ${all} (${((100 * right) / all).toFixed(1)} %)`
  }
}

function measureDanger(tally, session, episodes, findings, missed) {
  const found = findings.filter(({ kind }) => kind === 'danger')
  // A stretch that is nothing but a safety plan is found when it is found as a step of one.
  const steps = findings.filter(({ kind, about }) => kind === 'decision' && about === 'safety_step')
  const meets = (episode) => (finding) => finding.items.some((item) => episode.turns.includes(item))
  for (const episode of episodes) {
    const own = found.filter(meets(episode))
    const kind = episode.inPassing ? 'in passing' : 'ordinary'
    const isFound = own.length > 0 || steps.some(meets(episode))
    tally.add(kind, isFound)
    tally.add(
      `${kind}, plainly`,
      own.some(({ certainty }) => certainty === 'plain'),
    )
    if (!isFound) missed.push(`${session.id} ${episode.turns.join(',')} ${episode.gist ?? ''}`)
    if (own.length === 0 || episode.standing === undefined) continue
    const same = own.filter(({ matter }) => matter === episode.matter)
    tally.add('matter', same.length > 0)
    const overlap = ({ items }) => items.filter((item) => episode.turns.includes(item)).length
    const [main] = (same.length > 0 ? same : own).toSorted((a, b) => overlap(b) - overlap(a))
    for (const field of ['standing', 'time', 'whose']) {
      tally.add(field, main[field] === episode[field])
      tally.add(
        `${field}, in any`,
        (same.length > 0 ? same : own).some((one) => one[field] === episode[field]),
      )
    }
  }
  const truth = episodes.flatMap(({ turns }) => turns)
  return cluster(found.flatMap(({ items }) => items)).filter(
    (own) => !own.some((item) => truth.some((other) => Math.abs(other - item) <= near)),
  ).length
}

function measureMedicines(tally, session, findings, missed) {
  const found = findings.filter(({ kind }) => kind === 'medicine')
  const truth = session.medicines
  const names = new Set(truth.map(({ name }) => genericOf(name)))
  const foundNames = new Set(found.map(({ name }) => genericOf(name)))
  // Who writes sessions lists every medicine that is named; one that is named only as an allergy is found as that.
  const allergens = new Set(
    findings.flatMap((one) => (one.kind === 'allergy' ? [genericOf(one.substance)] : [])),
  )
  for (const name of names) {
    const isFound = foundNames.has(name) || allergens.has(name)
    tally.add('medicines', isFound)
    if (!isFound) missed.push(`${session.id} ${name}`)
  }
  for (const name of foundNames) tally.add('medicines, precision', names.has(name))
  for (const { name, dose, status, whose } of truth) {
    const own = found.filter((one) => genericOf(one.name) === genericOf(name))
    const hasStrength = strengthOf(dose) !== null
    const same = hasStrength ? own.filter((one) => isSameDose(one.dose, dose)) : own
    if (hasStrength) {
      tally.add('doses', same.length > 0)
      if (same.length === 0)
        missed.push(`${session.id} ${name} ${dose}, not ${own.map((one) => one.dose).join(' ')}`)
    }
    if (same.length > 0) {
      const isRight = same.some((one) => isSameStatus(one.status, status))
      tally.add('status', isRight)
      tally.add(`status, ${status}`, isRight)
      tally.add(
        'whose of medicines',
        same.some((one) => one.whose === whose),
      )
    }
  }
  for (const one of found.filter(({ dose }) => dose !== null))
    tally.add(
      'doses, precision',
      truth.some(({ name, dose }) => genericOf(name) === genericOf(one.name) && isSameDose(one.dose, dose)),
    )
}

const isAlike = (one, other) => {
  const [a, b] = [one, other].map((text) => text.toLowerCase().replace(/[^a-z0-9]/g, ''))
  return a.includes(b) || b.includes(a)
}
const isNoAllergy = (substance) =>
  /^(?:any|none|no known|drug|medication|known|nkda|other\b|nothing|everything)/i.test(substance)
/** Several that were asked and denied together are one entry: "latex, plasters, aspirin". */
const partsOf = (substance) => substance.split(/, | and | or /).filter((part) => part.trim() !== '')
/** "14/27" is fourteen; of a blood pressure the second is the smaller one. */
const scoreOf = (value) => {
  const [said = value] = /\d+(?:\.\d+)?(?:\/\d+)?/.exec(value) ?? []
  const [first, second] = said.split('/')
  return second !== undefined && Number(first) <= Number(second) ? first : said
}

function measureRest(tally, session, findings, missed) {
  const allergies = findings.filter(({ kind }) => kind === 'allergy')
  const isSameAllergy = (one, other) =>
    (isNoAllergy(one.substance) && isNoAllergy(other.substance)) ||
    partsOf(other.substance).some((part) => isAlike(genericOf(one.substance), genericOf(part)))
  for (const truth of session.allergies ?? []) {
    const same = allergies.filter((one) => isSameAllergy(one, truth))
    tally.add('allergies', same.length > 0)
    if (same.length === 0)
      missed.push(
        `${session.id} allergy ${truth.substance}, not ${allergies.map((one) => one.substance).join(' ')}`,
      )
    if (same.length > 0)
      tally.add(
        'allergies, standing',
        same.some(({ standing }) => standing === truth.standing),
      )
  }
  for (const one of allergies)
    tally.add(
      'allergies, precision',
      (session.allergies ?? []).some((truth) => isSameAllergy(one, truth)),
    )
  const scores = findings.filter(({ kind }) => kind === 'score')
  const isSameScore = (one, truth) => scoreOf(one.value) === scoreOf(truth.value)
  for (const truth of session.scores ?? []) {
    const isFound = scores.some((one) => isSameScore(one, truth))
    tally.add('scores', isFound)
    if (!isFound) missed.push(`${session.id} score ${truth.name ?? truth.what} ${truth.value}`)
  }
  for (const one of scores)
    tally.add(
      'scores, precision',
      (session.scores ?? []).some((truth) => isSameScore(one, truth)),
    )
  const decisions = findings.filter(({ kind }) => kind === 'decision')
  const meets = (one, truth) =>
    one.items.some((item) => truth.turns.some((turn) => Math.abs(turn - item) <= 1))
  for (const truth of session.decisions ?? []) {
    const own = decisions.filter((one) => meets(one, truth))
    tally.add('decisions', own.length > 0)
    tally.add(
      'decisions, of the same kind',
      own.some(({ about }) => about === truth.kind),
    )
  }
  for (const one of decisions)
    tally.add(
      'decisions, precision',
      (session.decisions ?? []).some((truth) => meets(one, truth)),
    )
}

/** The most memory that the reading process has held, where the system tells. */
function readPeakMb() {
  try {
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ')
    const peaks = children.map(
      (pid) => /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1],
    )
    return Math.max(...peaks.map(Number)) / 1024
  } catch {
    return null
  }
}

const detail =
  `matter;standing;standing, in any;time;time, in any;whose;whose, in any;medicines;medicines, precision;doses;
doses, precision;status;status, taking;status, started;status, changed;status, stopped;status, refused;status, asked;status, other;whose of medicines;allergies;allergies, precision;allergies, standing;scores;scores, precision;decisions;
decisions, of the same kind;decisions, precision`
    .split(';')
    .map((name) => name.trim())

const files = listFiles(process.argv.slice(2).filter((arg) => !arg.startsWith('--')))
const isTelling = process.argv.includes('--missed')
if (files.length === 0) process.stdout.write('No sets in eval/reader; name files.\n')
const reader = openReader()
let isMissed = false
for (const file of files) {
  const tally = new Tally()
  const missed = []
  const sessions = readSessions(file)
  let [falseClusters, words, seconds] = [0, 0, 0]
  for (const session of sessions) {
    const transcript = toTranscript(session.turns)
    words += transcript.reduce((sum, { transcript: said }) => sum + said.split(/\s+/).length, 0)
    const start = performance.now()
    const { findings } = await reader.read(transcript, AbortSignal.timeout(600_000))
    seconds += (performance.now() - start) / 1000
    falseClusters += measureDanger(
      tally,
      session,
      session.danger ?? episodesOfTopics(session),
      findings,
      missed,
    )
    if (session.medicines !== undefined) measureMedicines(tally, session, findings, missed)
    if (session.danger !== undefined) measureRest(tally, session, findings, missed)
  }
  const a = falseClusters / sessions.length
  const isKeptApart = sessions.some(({ danger }) => danger !== undefined)
  process.stdout.write(
    `${basename(file)}: ${sessions.length} sessions, ${words} words, reader ${reader.version}\n`,
  )
  process.stdout.write(
    [
      tally.line('ordinary', 'danger, ordinary'),
      tally.line('ordinary, plainly', 'danger, ordinary, found plainly'),
      tally.line('in passing', 'danger in passing'),
      tally.line('in passing, plainly', 'danger in passing, found plainly'),
      `  false clusters of danger a session: ${a.toFixed(2)}`,
      ...(isKeptApart
        ? detail
            .filter((name) => !name.startsWith('status, ') || tally.count(name) > 0)
            .map((name) => tally.line(name))
        : []),
      `  seconds for 9,000 words: ${((9000 * seconds) / words).toFixed(1)}; peak memory of the process: ${readPeakMb()?.toFixed(0) ?? '?'} MB`,
      ...(isTelling ? missed.map((line) => `  missed: ${line}`) : []),
      '',
    ].join('\n'),
  )
  if (!isKeptApart) continue
  const wanted = {
    ordinary: goals.ordinary,
    'in passing': goals.inPassing,
    medicines: goals.medicines,
    doses: goals.doses,
  }
  for (const [name, goal] of Object.entries(wanted)) {
    if (tally.count(name) < judgedFrom || tally.share(name) >= goal) continue
    isMissed = true
    process.stdout.write(`  goal missed: ${name}, ${100 * goal} %\n`)
  }
  if (sessions.length >= judgedFrom && a > goals.falseClusters) {
    isMissed = true
    process.stdout.write(`  goal missed: at most ${goals.falseClusters} false clusters a session\n`)
  }
}
await reader.close()
if (isMissed) process.exitCode = 1
