import { frameOf } from '../../ledger/read-statements.js'
import { splitSentences } from '../../text/split-sentences.js'
import type { Edit } from './edit.js'
import { toSections, type EditableNote } from './editable-note.js'
import { listStated, type Stated } from './list-stated.js'
import { readNamed } from './name-stated.js'

/** The matters of which an edit lets something be stated no more, or otherwise, without naming it. */
export type FindRestated = (before: EditableNote, after: EditableNote, edit: Edit) => string[]

/** Only lines that an edit touches are read, and each sentence of them once. */
export function makeRestatedFinder(): FindRestated {
  const known = new Map<string, readonly Stated[]>()
  const listOnce = (sentence: string, section: string): readonly Stated[] => {
    const place = `${frameOf(section)} ${sentence}`
    const listed = known.get(place) ?? listStated(sentence, section)
    known.set(place, listed)
    return listed
  }
  const countStated = (lines: readonly Line[]): Counted => {
    const counted: Counted = new Map()
    for (const { text, section, count } of lines) {
      // A bullet may hold several sentences, and the tense of one says nothing of its neighbor.
      for (const stated of splitSentences(text).flatMap((sentence) => listOnce(sentence, section)))
        counted.set(stated.key, { stated, count: (counted.get(stated.key)?.count ?? 0) + count })
    }
    return counted
  }
  return (before, after, edit) => {
    const [had, has] = [countLines(before), countLines(after)]
    const [gone, come] = [countStated(listMore(had, has)), countStated(listMore(has, had))]
    const named = readNamed(edit)
    return [
      // Who removes one of two lines that are the same lets nothing go unsaid.
      ...listMoreStated(isRemoval(edit) ? countStated(listMissing(had, has)) : gone, come).filter(
        // That there is danger at all is counted by its name.
        (stated) => stated.topic !== 'any' && !named.isLeavingNamed(stated),
      ),
      ...listMoreStated(come, gone).filter((stated) => !named.isComingNamed(stated)),
    ].map(({ matter }) => matter)
  }
}

const isRemoval = ({ kind }: Edit): boolean => kind === 'remove' || kind === 'remove_section'

interface Line {
  text: string
  section: string
  /** How often it stands where the same words say the same. */
  count: number
}

function countLines(note: EditableNote): Map<string, Line> {
  const lines = new Map<string, Line>()
  for (const { key: section, sentences } of toSections(note)) {
    const frame = frameOf(section)
    for (const { text } of sentences) {
      const place = `${frame} ${text}`
      lines.set(place, { text, section, count: (lines.get(place)?.count ?? 0) + 1 })
    }
  }
  return lines
}

const listMore = (lines: ReadonlyMap<string, Line>, others: ReadonlyMap<string, Line>): Line[] =>
  [...lines].flatMap(([place, line]) => {
    const count = line.count - (others.get(place)?.count ?? 0)
    return count > 0 ? [{ ...line, count }] : []
  })

const listMissing = (lines: ReadonlyMap<string, Line>, others: ReadonlyMap<string, Line>): Line[] =>
  [...lines].flatMap(([place, line]) => (others.has(place) ? [] : [line]))

type Counted = Map<string, { stated: Stated; count: number }>

const listMoreStated = (these: Counted, others: Counted): Stated[] =>
  [...these].flatMap(([key, { stated, count }]) => (count > (others.get(key)?.count ?? 0) ? [stated] : []))
