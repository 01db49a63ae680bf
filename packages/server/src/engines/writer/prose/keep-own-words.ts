import { setImmediate as nextTurn } from 'node:timers/promises'
import { NOTE_TEMPLATES, type NoteType } from '@casenote/contract'
import { countShared, stemsOf } from '../../ledger/share-words.js'
import { isHeading } from '../edits/editable-note.js'
import { listSectionNames } from '../edits/name-sections.js'
import { findNearestSection } from '../edits/note-type-sections.js'
import type { EditRequest, JudgedSentence } from '../writer-engine.js'
import { makeOwnStatementFinder } from './own-statement.js'
import { asRead, setIn, type EditDraft, type EditedSection, type EditedSentence } from './read-edit.js'
import { readJudgedSection } from './read-note-section.js'

/** A request about what the clinician wrote themselves, whatever stands there. */
const namesOwnLines = /\bmy (?:own )?(?:words|lines|notes|typing)\b|\bjotted\b|\bi (?:typed|wrote|jotted)\b/i

/** Sentences looked at in a turn: each is read for its words. */
const sentencesPerTurn = 20

/**
 * What a clinician wrote themselves stays in their words: where the answer left such a sentence out it stands again at the end
 * of its section, and where the answer worded it anew, in that place. Unless the request is about that very sentence, or the
 * section that it named is gone.
 */
export async function keepOwnWords(request: EditRequest, draft: EditDraft): Promise<EditDraft> {
  const missing = listMissing(request, draft)
  if (missing.length === 0) return draft
  const isAbout = makeAboutFinder(request.instructions)
  let { sections } = draft
  for (const [index, { key, sentence }] of missing.entries()) {
    if (index % sentencesPerTurn === 0) await nextTurn()
    const target = draft.noteType === request.noteType ? key : findNearestSection(key, draft.noteType)
    const missed = { key: target, sentence, stems: stemsOf(sentence.text) }
    if (isAbout(missed.stems)) sections = takeReworded(sections, missed, request.instructions)
    else if (!isSectionNamed(request, draft, key)) sections = putBack(draft.noteType, sections, missed)
  }
  return { ...draft, sections }
}

const listMissing = (
  { note }: EditRequest,
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
function isSectionNamed(request: EditRequest, { noteType, sections }: EditDraft, key: string): boolean {
  if (noteType !== request.noteType || sections.some((section) => section.key === key)) return false
  const asked = request.instructions.toLowerCase()
  return listSectionNames(noteType).some((one) => one.key === key && asked.includes(one.name))
}

interface Missing {
  key: string
  sentence: JudgedSentence
  stems: ReadonlySet<string>
}

function putBack(noteType: NoteType, sections: readonly EditedSection[], missing: Missing): EditedSection[] {
  const { key, sentence } = missing
  const there = sections.find((section) => section.key === key)
  const own: EditedSentence = { ...sentence, isKept: true }
  if (there === undefined)
    return NOTE_TEMPLATES[noteType].sections.flatMap((template) => {
      if (template.key === key) return [{ key, layout: 'paragraph' as const, sentences: [own] }]
      return sections.filter((section) => section.key === template.key)
    })
  const reworded = there.sentences.findIndex((one) => isReworded(one, missing.stems))
  const set = setIn(own, there.layout)
  const sentences = reworded === -1 ? [...there.sentences, set] : there.sentences.with(reworded, set)
  return sections.map((section) => (section === there ? { ...there, sentences } : section))
}

/** Asked for in other words it is still theirs, as long as it says the same; if it does not, theirs stays. */
function takeReworded(
  sections: readonly EditedSection[],
  { key, sentence, stems }: Missing,
  instructions: string,
): EditedSection[] {
  const isOwn = makeOwnStatementFinder(`${sentence.text}\n${instructions}`)
  return sections.map((section) => {
    const at = section.key === key ? section.sentences.findIndex((one) => isReworded(one, stems)) : -1
    const reworded = section.sentences[at]
    if (reworded === undefined) return section
    const taken = isOwn(reworded.text)
      ? { ...reworded, isStated: true }
      : setIn({ ...sentence, isKept: true }, section.layout)
    return { ...section, sentences: section.sentences.with(at, taken) }
  })
}

/** It rests on nothing that was said, and says for the greater part what the clinician had written. */
const isReworded = (
  { text, transcriptItems, isKept, isStated }: EditedSentence,
  stems: ReadonlySet<string>,
): boolean => {
  if (isKept === true || isStated === true || transcriptItems.length > 0) return false
  const own = stemsOf(text)
  return own.size > 0 && countShared(own, stems) * 2 >= own.size
}
