import { checkSentence } from './check-sentence.js'
import type { ExactCheckRequest, ExactVerdict } from './note-checker.js'
import { readTalk } from './read-talk.js'

/** One verdict for each sentence of each section. */
export const checkExactly = ({ sections, transcript, reading }: ExactCheckRequest): ExactVerdict[][] => {
  const talk = readTalk(transcript)
  return sections.map(({ sentences }) => sentences.map((sentence) => checkSentence(sentence, talk, reading)))
}
