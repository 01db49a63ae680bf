import { expect, it } from 'vitest'
import { compareNote } from '../../../src/engines/ledger/compare-note.js'
import { keepLeftOut, nameLeftOut } from '../../../src/engines/ledger/left-out.js'
import { section, talk } from '../checker/talk.js'

it('the same sentence that is left out twice is one entry', () => {
  const one = nameLeftOut({ text: 'Client has a plan to end their life.', transcriptItems: [] })
  expect(keepLeftOut([], [one, one])).toEqual([one])
  expect(keepLeftOut([one], [one])).toEqual([one])
})

it('words that are quoted instead are listed to their end, with what is quoted in them', () => {
  const sentence = 'Client said: “They told me "zoloft 50" is too much for me”'
  const judged = { sentence, transcriptItems: [0], supported: true, judgement: 'exact_checks_only' as const }
  const { review } = compareNote({
    sections: [{ ...section(), content: sentence, evidence: [{ ...judged, reason: null }] }],
    findings: [],
    transcript: talk('client: They told me "zoloft 50" is too much for me'),
  })
  expect(review).toMatchObject([
    { kind: 'medicine', reason: 'quoted_instead', words: 'They told me "zoloft 50" is too much for me' },
  ])
})
