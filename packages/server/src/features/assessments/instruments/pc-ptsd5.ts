import { countUp, scored, type Instrument } from './instrument.js'

const gateKey = 'pc_ptsd5_gate'

const texts = [
  'Had nightmares about the event(s) or thought about the event(s) when you did not want to?',
  'Tried hard not to think about the event(s) or went out of your way to avoid situations that reminded you of the ' +
    'event(s)?',
  'Been constantly on guard, watchful, or easily startled?',
  'Felt numb or detached from people, activities, or your surroundings?',
  'Felt guilty or unable to stop blaming yourself or others for the event(s) or any problems the event(s) may have ' +
    'caused?',
]

/** After "No" to the gate the score is 0 and the five are absent, not missing. */
export const pcPtsd5: Instrument = {
  id: 'pc_ptsd5',
  version: '2026-11-15',
  name: 'PC-PTSD-5',
  description: 'Primary Care PTSD Screen for DSM-5, 5 items after a question about exposure',
  recall: 'exposure ever; symptoms in the past month',
  leadIn: 'In the past month, have you ...',
  questions: [
    {
      key: gateKey,
      text:
        'Sometimes things happen to people that are unusually or especially frightening, horrible, or traumatic. For ' +
        'example: a serious accident or fire; a physical or sexual assault or abuse; an earthquake or flood; a war; ' +
        'seeing someone be killed or seriously injured; having a loved one die through homicide or suicide. Have you ' +
        'ever experienced this kind of event?',
      options: countUp('No', 'Yes'),
      isScored: false,
    },
    ...scored('pc_ptsd5', texts, countUp('No', 'Yes'), { key: gateKey, value: 1 }),
  ],
  rights: {
    terms: 'Work of the US Government',
    source: 'US Department of Veterans Affairs, National Center for PTSD',
    mayShowText: true,
  },
}
