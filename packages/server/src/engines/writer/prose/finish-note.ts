import type { NoteSection, NoteTemplate, TranscriptItem } from '@casenote/contract'
import type { Background } from '../../background.js'
import { makeBackgroundFinder } from '../../checker/check-background.js'
import { readTalk } from '../../checker/read-talk.js'
import type { Finding } from '../../reader/reading.js'
import { findAccount } from '../is-account.js'
import { placeJotted } from '../place-jotted.js'
import { renewNotAsked, sayNotAsked } from '../say-not-asked.js'
import type { DraftSentence, JudgedSection } from '../writer-engine.js'
import { readJudgedSection } from './read-note-section.js'
import { settleRefused, type Settled } from './settle-refused.js'

/** A note after its repair, with what the last steps go by. */
export interface FinishRequest {
  template: NoteTemplate
  sections: readonly JudgedSection[]
  findings: readonly Finding[]
  transcript: readonly TranscriptItem[]
  /** The note before a magic edit, with what was asked for; null: it is no edit. */
  edited: { note: readonly NoteSection[]; instructions: string } | null
  jotted: readonly string[]
  /** What no sentence may rest on. */
  background?: Background
  /** Language of the talk, where nobody read it: that something was not asked cannot be told of it. */
  language?: string | undefined
}

/** Steps 7 to 9 of writing a note, and what stands for them where one is edited. */
export function finishNote(request: FinishRequest): Settled {
  const { template, findings, transcript, edited, jotted, background, language } = request
  const isBackground = background === undefined ? () => false : makeBackgroundTest(background, transcript)
  const { sections, leftOut } = settleRefused(request.sections, findings, transcript, isBackground)
  const account = findAccount(transcript)
  if (edited === null) {
    const asked =
      language === undefined ? sayNotAsked(template, sections, findings, jotted, account) : sections
    return { sections: placeJotted(template, asked, jotted), leftOut }
  }
  const { note, instructions } = edited
  const before = note.map(readJudgedSection)
  const renewed = renewNotAsked(template, sections, { before, findings, account, instructions })
    .filter(({ sentences }) => sentences.length > 0)
    .map((section) => setAsBefore(section, note, before))
  return { sections: renewed, leftOut }
}

const makeBackgroundTest = (
  background: Background,
  transcript: readonly TranscriptItem[],
): ((sentence: DraftSentence) => boolean) => {
  const find = makeBackgroundFinder(background, readTalk(transcript))
  return (sentence) => find(sentence) !== null
}

/** A section in which no sentence changed is set as it was, with every dash and empty line. */
function setAsBefore(
  section: JudgedSection,
  note: readonly NoteSection[],
  before: readonly JudgedSection[],
): JudgedSection {
  const at = note.findIndex(({ key }) => key === section.key)
  const [stored, read] = [note[at], before[at]]
  if (stored === undefined || read === undefined) return section
  const isSame =
    read.layout === section.layout &&
    read.sentences.length === section.sentences.length &&
    read.sentences.every(({ text }, place) => text === section.sentences[place]?.text)
  return isSame ? { ...section, content: stored.content } : section
}
