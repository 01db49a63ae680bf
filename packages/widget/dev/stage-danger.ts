import type { DangerItem } from '@casenote/contract'
import { at, id, joanna } from './stage-data.js'

const openItem: DangerItem = {
  id: id(300),
  client: joanna,
  sessionId: id(100),
  label: 'Wish to be dead: affirmed',
  question: null,
  words: 'Some nights I think it would be easier if I just did not wake up.',
  transcriptItems: [2, 3],
  at: at('11-15'),
  seenAt: null,
  leftOpen: null,
  standing: 'not_in_note',
  isAnswered: false,
}

/** One of each kind. */
export const danger: DangerItem[] = [
  openItem,
  {
    ...openItem,
    id: id(301),
    sessionId: null,
    label: 'PHQ-9',
    question: 'Thoughts that you would be better off dead or of hurting yourself in some way',
    words: 'Several days',
    transcriptItems: [],
    at: at('11-14', '18:05'),
  },
  {
    ...openItem,
    id: id(302),
    label: 'Violence or abuse: affirmed, in the past',
    words: 'He pushed me against the door last month.',
    transcriptItems: [7],
    seenAt: at('11-15', '10:40'),
    standing: 'in_note',
  },
  {
    ...openItem,
    id: id(303),
    sessionId: id(101),
    label: 'Access to means of suicide: affirmed',
    words: 'The pills are still in the drawer.',
    at: at('11-08'),
    seenAt: at('11-08', '12:00'),
    leftOpen: { at: at('11-08', '12:00'), reason: 'Partner locks them away, to be checked next week.' },
    standing: 'older',
  },
]
