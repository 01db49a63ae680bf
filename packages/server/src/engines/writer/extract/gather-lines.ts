import type { NoteType } from '@casenote/contract'
import type { Topic } from '../../reader/reading.js'
import { countWords } from '../../text/tokenize-words.js'
import type { WritingRequest } from '../writer-engine.js'
import { chooseSentences, type Chosen } from './choose-sentences.js'
import { judgeSentences } from './judge-sentences.js'
import { textOf, type Heading, type Line } from './line.js'
import { firstSection } from './place-topics.js'
import type { Said, Talk } from './read-turns.js'
import { TOPIC_WORDS } from './topic-words.js'

/** The lines of a note besides those that are known. */
export function chooseLines(
  { noteType, reading }: WritingRequest,
  {
    talk,
    contextOf,
    known,
  }: { talk: Talk; contextOf: (said: Said) => readonly Said[]; known: readonly Line[] },
): Line[] {
  const indexes = (lines: readonly Line[]) =>
    new Set(lines.flatMap(({ quoted }) => quoted.map(({ index }) => index)))
  const inDanger = indexes(known.filter(({ heading }) => heading === 'Danger'))
  const elsewhere = indexes(known.filter(({ heading }) => heading !== 'Danger'))
  // A mother's suicide stands under Danger, and is looked for in the family's history too.
  const judged = judgeSentences(talk, reading, noteType).filter(
    (one) => !elsewhere.has(one.said.index) && (!inDanger.has(one.said.index) || histories.has(one.topic)),
  )
  return setLines(
    chooseSentences(judged, {
      noteType,
      talkWords: talk.words,
      spentWords: known
        .filter(({ heading }) => heading === null || !unlimited.has(heading))
        .reduce((sum, line) => sum + countWords(textOf(line)), 0),
      contextOf,
    }),
    noteType,
  )
}

const unlimited: ReadonlySet<Heading> = new Set(['Danger', 'Medicines', 'Allergies'])
const histories: ReadonlySet<Topic> = new Set(['family_history', 'psych_history', 'trauma_history'])

/** Below this it is not known where a sentence belongs. */
const surenessMin = 0.3

/** And below this worth it is left out. */
const otherValueMin = 0.35

/** A line of more words is parted where a sentence stands by itself. */
const lineWordsMax = 60
/** And one of more sentences anywhere. */
const lineSentencesMax = 20

/** Chosen sentences that belong together, because one needs the other or both were said in one breath, are one line. */
function setLines(chosen: readonly Chosen[], noteType: NoteType): Line[] {
  const bySection = new Map<string, Chosen[]>()
  const placeOf = new Map<number, string>()
  for (const one of chosen.toSorted((a, b) => a.judged.said.index - b.judged.said.index)) {
    const isSure = one.judged.sureness >= surenessMin
    if (!isSure && one.judged.value < otherValueMin) continue
    // What cannot be understood without another stands with it.
    const basis = one.context.findLast(({ index }) => placeOf.has(index))
    const own = isSure ? `${one.judged.section}|` : `${firstSection(noteType)}|Other`
    const key = (basis === undefined ? undefined : placeOf.get(basis.index)) ?? own
    placeOf.set(one.judged.said.index, key)
    const there = bySection.get(key)
    if (there === undefined) bySection.set(key, [one])
    else there.push(one)
  }
  return [...bySection].flatMap(([place, of]) => {
    const [section = '', other = ''] = place.split('|')
    return joinChosen(of).map((group): Line => {
      const quoted = group.sentences
      return {
        section,
        heading: other === 'Other' ? 'Other' : nameHeading(group.chosen),
        label: '',
        quoted,
      }
    })
  })
}

interface Group {
  chosen: Chosen[]
  sentences: Said[]
}

function joinChosen(chosen: readonly Chosen[]): Group[] {
  const groups: Group[] = []
  for (const one of chosen.toSorted((a, b) => a.judged.said.index - b.judged.said.index)) {
    const needed = [...one.context, one.judged.said]
    const last = groups.at(-1)
    const shares = last?.sentences.some((said) => needed.includes(said)) === true
    const isSameTurn = last?.sentences.at(-1)?.turn === needed[0]?.turn
    const words = last?.sentences.reduce((sum, said) => sum + said.words, 0) ?? 0
    if (
      last !== undefined &&
      last.sentences.length < lineSentencesMax &&
      (shares || (isSameTurn && words < lineWordsMax))
    ) {
      last.chosen.push(one)
      last.sentences = [...new Set([...last.sentences, ...needed])].toSorted((a, b) => a.index - b.index)
    } else groups.push({ chosen: [one], sentences: needed })
  }
  return groups
}

const headingOf: Readonly<Partial<Record<Topic, Heading>>> = {
  sleep: 'Sleep',
  appetite: 'Appetite and weight',
  substance: 'Substance use',
  side_effects: 'Side effects',
}

/** Only where the reader and the words themselves say so: a wrong heading is worse than none. */
function nameHeading(chosen: readonly Chosen[]): Heading | null {
  const names = new Set(
    chosen.map(({ judged: { topic, said } }) => {
      if (topic === 'intervention' && said.speaker === 'clinician') return 'Interventions'
      return TOPIC_WORDS[topic]?.test(said.text) === true ? (headingOf[topic] ?? null) : null
    }),
  )
  const [only] = names
  return names.size === 1 ? (only ?? null) : null
}
