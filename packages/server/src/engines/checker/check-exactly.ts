import { makeBackgroundFinder } from './check-background.js'
import { checkSentence } from './check-sentence.js'
import type { ExactVerdict } from './checker-messages.js'
import type { ExactCheckRequest } from './checker-requests.js'
import { readTalk } from './read-talk.js'

/** One verdict for each sentence of each section. */
export const checkExactly = ({
  sections,
  transcript,
  reading,
  background,
}: ExactCheckRequest): ExactVerdict[][] => {
  const talk = readTalk(transcript)
  const findBackground = background === undefined ? () => null : makeBackgroundFinder(background, talk)
  // First: what is of the background is not shown, whatever else is wrong with it.
  return sections.map(({ sentences }) =>
    sentences.map((sentence) => findBackground(sentence) ?? checkSentence(sentence, talk, reading)),
  )
}
