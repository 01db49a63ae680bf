import type { NoteSection } from '@casenote/contract'
import { expect, it } from 'vitest'
import { judgeAgain } from '../../../src/engines/checker/judge-again.js'
import { danger } from '../ledger/findings.js'
import { readingOf, section, talk } from './talk.js'

const again = (
  sections: NoteSection[],
  lines: string,
  findings: ReturnType<typeof danger>[],
): ReturnType<typeof judgeAgain> =>
  judgeAgain(sections, { transcript: talk(lines), reading: readingOf(...findings), correctedItems: [1] })

it('"not asked" is refused where corrected words speak of it, and tells nothing of them', () => {
  const sentence = 'Suicide and self-harm, harm to others: not asked, not mentioned.'
  const note = [section({ sentence, transcriptItems: [], judgement: 'exact_checks_only' })]
  const said = 'I keep thinking about suicide.'
  const found = danger({ words: said, items: [1] })
  const { sections, ledger } = again(note, `clinician: How are you?\nclient: ${said}`, [found])
  expect(sections[0]?.evidence[0]).toMatchObject({ supported: false, reason: 'not_asked' })
  expect(ledger.entries[0]?.state).toBe('not_written')
})

it('what a model found made up stays refused, whatever is put right in the line that it cites', () => {
  const sentence = 'Client plans to move.'
  const refused = section({ sentence, transcriptItems: [1], judgement: 'refused', reason: 'not_said' })
  const { sections } = again([refused], 'clinician: And home?\nclient: We may move, Marta says.', [])
  expect(sections[0]?.evidence[0]).toMatchObject({ judgement: 'refused', reason: 'not_said' })
})
