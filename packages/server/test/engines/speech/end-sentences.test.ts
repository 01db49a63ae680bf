import { describe, expect, it } from 'vitest'
import { endSentences } from '../../../src/engines/speech/moonshine/end-sentences.js'

describe('speech that the model wrote without full stops', () => {
  it('gets them where a sentence begins', () => {
    expect(
      endSentences(
        "I don't want to add a pill yet Let's move the coffee to before noon Keep the same wake time every day And if you are awake for 20 minutes Get out of bed",
      ),
    ).toBe(
      "I don't want to add a pill yet. Let's move the coffee to before noon. Keep the same wake time every day. And if you are awake for 20 minutes, get out of bed",
    )
  })

  it.each([
    'I told Keith that I would call Dr. Brennan on Thursday.',
    'She goes to Narcotics Anonymous And Beyond every week.',
    'We read The Body Keeps the Score, and he liked it.',
    'My son Will is fine. So am I.',
    'Okay, I think I can do that, And then I stopped.',
  ])('leaves alone: %s', (text) => {
    expect(endSentences(text)).toBe(text)
  })
})
