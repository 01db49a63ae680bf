import type { Addendum } from '@casenote/contract'
import { fill } from '../../texts/fill.js'
import type { Texts } from '../../texts/texts.js'
import { formatTime } from '../format.js'
import type { SectionWords } from './plan-sections.js'

/** What was added after signing, wherever the note is read as a whole: in a record, on paper. */
export const toSections = (texts: Texts, addenda: readonly Addendum[]): SectionWords[] =>
  addenda.map((addendum) => ({
    title: fill(texts.addenda.heading, {
      name: nameAuthor(texts, addendum),
      date: formatTime(texts.locale, addendum.createdAt),
    }),
    content: addendum.text,
  }))

/** A partner adds for the record system. */
export const nameAuthor = ({ addenda }: Texts, { author }: Addendum): string =>
  author.name ?? addenda.recordSystem
