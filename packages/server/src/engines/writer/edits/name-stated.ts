import { nameMatters } from '../../ledger/name-matters.js'
import { isKin, listDangerTopics } from '../../ledger/read-dangers.js'
import { COURSES, readRegimens } from '../../ledger/read-regimens.js'
import type { Edit } from './edit.js'
import type { Stated } from './list-stated.js'

/** Whether an instruction names what it changes: what leaves, and what comes in its place. */
export interface NamedInEdit {
  isLeavingNamed(stated: Stated): boolean
  isComingNamed(stated: Stated): boolean
}

/** Who replaces words of a matter by others of it knows that what is said of it changes; "denies" names none. */
export function readNamed(edit: Edit): NamedInEdit {
  if (edit.kind === 'replace') {
    const [from, to] = [readWording(edit.from), readWording(edit.to)]
    return {
      isLeavingNamed: (stated) => from.hasPart(stated) || (from.names(stated) && to.names(stated)),
      isComingNamed: (stated) => to.hasPart(stated) || to.names(stated),
    }
  }
  const mentions = listMentions(edit)
  const named = new Set(listNamed(mentions.join(' ')))
  // Who mentions what a line says names what it is of, where nothing but its section does.
  const isNamed = ({ matter, isBySection }: Stated): boolean =>
    named.has(matter) || (isBySection && mentions.length > 0)
  return { isLeavingNamed: isNamed, isComingNamed: isNamed }
}

/** What a clinician says should go, or should stand somewhere else. */
const listMentions = (edit: Edit): readonly string[] => {
  if (edit.kind === 'remove') return edit.mentions
  return edit.kind === 'move' && edit.mention !== null ? [edit.mention] : []
}

const listNamed = (text: string): string[] => [
  ...nameMatters(text),
  ...readRegimens(text).map(({ generic }) => generic),
]

/** One side of a replacement. */
interface Wording {
  /** It names the matter, and of danger the same one: not suicide for homicide. */
  names(stated: Stated): boolean
  /** It says the dose or how often, whatever medicine that is of: "50 mg". */
  hasPart(stated: Stated): boolean
}

const readWording = (text: string): Wording => {
  const named = new Set(listNamed(text))
  const topics = listDangerTopics(text)
  return {
    names: ({ matter, topic }) =>
      topic === null ? named.has(matter) : topics.some((one) => isKin(one, topic)),
    hasPart: ({ matter, part }) =>
      part !== null &&
      !COURSES.includes(part) &&
      readRegimens(`${matter} ${text}`).some(
        ({ generic, stated }) => generic === matter && stated.includes(part),
      ),
  }
}
