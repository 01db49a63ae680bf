import type { NoteSection } from '@casenote/contract'
import type { NamedItem } from '../../named-item.js'
import { readJudgedSection } from './read-note-section.js'

/**
 * What comes from a session, a note or a clinician stands in a prompt between tags, as data. It can hold no tag (angle
 * brackets are other characters in it), no line of its own (an item is one line) and no item number in brackets, so
 * nothing said can pretend to be the end of the data or another item. Invisible characters, which can hide
 * instructions from everyone who reads the transcript, are left out.
 */
export const quoteTranscript = (lines: readonly string[]): string =>
  ['<transcript>', ...lines, '</transcript>'].join('\n')

export const quoteItem = (item: NamedItem, index: number): string =>
  `[${index}] ${quoteText(item.person?.label ?? item.speaker)}: ${quoteText(item.transcript).replaceAll('[', '(').replaceAll(']', ')')}`

/** Behind a sentence of a note that the clinician wrote themselves. */
const clinicians = "{the clinician's own words}"

export function quoteNote(note: readonly NoteSection[]): string {
  const lines = note.flatMap((section) => {
    const { key, layout, sentences } = readJudgedSection(section)
    const shown = sentences.map(({ text, transcriptItems, judgement }) => {
      const whose = judgement === 'clinicians_words' ? ` ${clinicians}` : ''
      return `- ${quoteText(text)} {items: ${transcriptItems.join(', ')}}${whose}`
    })
    return [`section ${quoteText(key)}, ${layout}:`, ...shown]
  })
  return ['<note>', ...lines, '</note>'].join('\n')
}

export const quoteBlock = (tag: 'request' | 'approaches' | 'jotted' | 'background', text: string): string =>
  `<${tag}>\n${quoteText(text)}\n</${tag}>`

export const quoteText = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    // Facts and sentences of a note are followed by their items in braces, and by whose words they are.
    .replace(/\{(?=\s*(?:items|the clinician))/gi, '(')
    .trim()

/** The other way round: what a model wrote, as it may stand in a note. */
export const readText = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replaceAll('‹', '<')
    .replaceAll('›', '>')
    .replace(/^\s*[-•*]\s+/, '')
    .trim()
