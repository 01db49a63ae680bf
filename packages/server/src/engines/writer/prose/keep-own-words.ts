import { countShared, stemsOf } from '../../ledger/share-words.js'
import { isHeading } from '../edits/editable-note.js'
import { listSectionNames } from '../edits/name-sections.js'
import { findNearestSection } from '../edits/note-type-sections.js'
import { templateOf } from '../templates/built-in-templates.js'
import { listKeys } from '../templates/note-template.js'
import type { JudgedSentence } from '../writer-engine.js'
import { makeOwnWordsFinder } from '../../ledger/find-own-words.js'
import {
  asRead,
  setIn,
  templateAfter,
  type AskedEdit,
  type EditDraft,
  type EditedSection,
  type EditedSentence,
} from './read-edit.js'
import { readJudgedSection } from './read-note-section.js'

/** A request about what the clinician wrote themselves, whatever stands there. */
const namesOwnLines = /\bmy (?:own )?(?:words|lines|notes|typing)\b|\bjotted\b|\bi (?:typed|wrote|jotted)\b/i

/**
 * What a clinician wrote themselves stays in their words: where the answer left such a sentence out it stands again at the end
 * of its section, and where the answer worded it anew, in that place. Unless the request is about that very sentence, or the
 * section that it named is gone.
 */
export function keepOwnWords(request: AskedEdit, draft: EditDraft): EditDraft {
  const missing = listMissing(request, draft)
  if (missing.length === 0) return draft
  const isAbout = makeAboutFinder(request.instructions)
  const sections = new Map(draft.sections.map((section) => [section.key, openSection(section)]))
  for (const { key, sentence } of missing) {
    const target =
      draft.noteType === request.noteType
        ? key
        : findNearestSection(key, templateAfter(request, draft.noteType), templateOf(request))
    const stems = stemsOf(sentence.text)
    const there = sections.get(target)
    if (isAbout(stems)) there?.takeReworded(sentence, stems, request.instructions)
    else if (isSectionNamed(request, draft, key)) continue
    else if (there !== undefined) there.putBack(sentence, stems)
    else
      sections.set(target, openSection({ key: target, layout: 'paragraph', sentences: [asKept(sentence)] }))
  }
  return { ...draft, sections: inOrder(request, draft, sections) }
}

/** In the draft's order, and what came back where the template has it. */
function inOrder(
  request: AskedEdit,
  { noteType, sections }: EditDraft,
  open: ReadonlyMap<string, OpenSection>,
): EditedSection[] {
  const keys =
    open.size === sections.length
      ? sections.map(({ key }) => key)
      : listKeys(templateAfter(request, noteType))
  return keys.flatMap((key) => open.get(key)?.close() ?? [])
}

const listMissing = (
  { note }: AskedEdit,
  { sections }: EditDraft,
): { key: string; sentence: JudgedSentence }[] => {
  const standing = new Set(sections.flatMap(({ sentences }) => sentences.map(({ text }) => asRead(text))))
  return note
    .map(readJudgedSection)
    .flatMap(({ key, sentences }) => sentences.map((sentence) => ({ key, sentence })))
    .filter(
      ({ sentence }) =>
        sentence.judgement === 'clinicians_words' &&
        !isHeading(sentence) &&
        !standing.has(asRead(sentence.text)),
    )
}

/** Half of what the sentence speaks of is in the request. */
function makeAboutFinder(instructions: string): (stems: ReadonlySet<string>) => boolean {
  const asked = stemsOf(instructions)
  const isAll = namesOwnLines.test(instructions)
  return (stems) => {
    const shared = countShared(stems, asked)
    return isAll || (shared > 0 && shared * 2 >= stems.size)
  }
}

/** "Remove the plan" removes what the clinician wrote there, too. */
function isSectionNamed(request: AskedEdit, { noteType, sections }: EditDraft, key: string): boolean {
  if (noteType !== request.noteType || sections.some((section) => section.key === key)) return false
  const asked = request.instructions.toLowerCase()
  return listSectionNames(templateAfter(request, noteType)).some(
    (one) => one.key === key && asked.includes(one.name),
  )
}

const asKept = (sentence: JudgedSentence): EditedSentence => ({ ...sentence, isKept: true })

/** A section of the draft while own sentences are looked for in it: each of its sentences is read for its words once. */
interface OpenSection {
  putBack(sentence: JudgedSentence, stems: ReadonlySet<string>): void
  /** Asked for in other words it is still theirs, as long as it says the same; if it does not, theirs stays. */
  takeReworded(sentence: JudgedSentence, stems: ReadonlySet<string>, instructions: string): void
  close(): EditedSection
}

function openSection(section: EditedSection): OpenSection {
  const { layout } = section
  const sentences = [...section.sentences]
  const rewordings = listRewordings(sentences)
  return {
    putBack(sentence, stems) {
      const at = rewordings.take(stems)
      const own = setIn(asKept(sentence), layout)
      if (at === null) sentences.push(own)
      else sentences[at] = own
    },
    takeReworded(sentence, stems, instructions) {
      const at = rewordings.take(stems)
      const reworded = at === null ? undefined : sentences[at]
      if (at === null || reworded === undefined) return
      const isOwn = makeOwnWordsFinder(`${sentence.text}\n${instructions}`)
      sentences[at] = isOwn(reworded.text) ? { ...reworded, isStated: true } : setIn(asKept(sentence), layout)
    },
    close: () => ({ ...section, sentences }),
  }
}

/** What may be an own sentence in other words: it rests on nothing that was said. By the words that they have. */
function listRewordings(sentences: readonly EditedSentence[]): {
  /** The first that says for the greater part what these words say; each is given once. Null: there is none. */
  take(stems: ReadonlySet<string>): number | null
} {
  const sizes = new Map<number, number>()
  const placesOf = new Map<string, number[]>()
  for (const [place, { text, transcriptItems, isKept, isStated }] of sentences.entries()) {
    if (isKept === true || isStated === true || transcriptItems.length > 0) continue
    const own = stemsOf(text)
    if (own.size === 0) continue
    sizes.set(place, own.size)
    for (const stem of own) {
      const places = placesOf.get(stem)
      if (places === undefined) placesOf.set(stem, [place])
      else places.push(place)
    }
  }
  return {
    take(stems) {
      if (sizes.size === 0) return null
      const shared = new Map<number, number>()
      for (const stem of stems)
        for (const place of placesOf.get(stem) ?? []) shared.set(place, (shared.get(place) ?? 0) + 1)
      let first: number | null = null
      for (const [place, count] of shared)
        if (count * 2 >= (sizes.get(place) ?? Infinity) && (first === null || place < first)) first = place
      if (first !== null) sizes.delete(first)
      return first
    },
  }
}
