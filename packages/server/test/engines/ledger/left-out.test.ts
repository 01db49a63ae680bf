import { expect, it } from 'vitest'
import { compareNote } from '../../../src/engines/ledger/compare-note.js'
import { keepLeftOut, nameLeftOut } from '../../../src/engines/ledger/left-out.js'
import { listUnmet, withUnmet } from '../../../src/engines/writer/templates/list-unmet.js'
import { section, talk } from '../checker/talk.js'
import { invented } from '../writer/invented-template.js'

it('the same sentence that is left out twice is one entry', () => {
  const one = nameLeftOut({ text: 'Client has a plan to end their life.', transcriptItems: [] })
  expect(keepLeftOut([], [one, one])).toEqual([one])
  expect(keepLeftOut([one], [one])).toEqual([one])
})

it('no danger is cut off a list to which something is added, and of the rest what is beyond a hundred is', () => {
  const danger = Array.from({ length: 130 }, (_, at) =>
    nameLeftOut({ text: `Client has ${at} plans to end their life.`, transcriptItems: [] }),
  )
  const medicines = Array.from({ length: 5 }, (_, at) =>
    nameLeftOut({ text: `Client takes sertraline ${at} mg.`, transcriptItems: [] }),
  )
  expect(keepLeftOut(danger.slice(0, 120), [...danger.slice(120), ...medicines])).toEqual(danger)
  expect(keepLeftOut(danger.slice(0, 97), medicines)).toHaveLength(100)
  const unmet = listUnmet({ template: invented, sections: [] })
  expect(withUnmet(danger, unmet)).toEqual(danger)
  expect(withUnmet(danger.slice(0, 97), unmet).at(-1)).toMatchObject({ reason: 'must_stand' })
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
