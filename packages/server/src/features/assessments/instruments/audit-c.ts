import { countUp, type Instrument } from './instrument.js'

/** The wording of Veterans Affairs. The World Health Organization's third question differs: never mix the two. */
export const auditC: Instrument = {
  id: 'audit_c',
  version: '2026-11-15',
  name: 'AUDIT-C',
  description: 'Alcohol Use Disorders Identification Test, the 3 consumption items',
  recall: 'past year',
  leadIn: null,
  questions: [
    {
      key: 'audit_c_1',
      text: 'How often did you have a drink containing alcohol in the past year?',
      options: countUp(
        'Never',
        'Monthly or less',
        '2 to 4 times per month',
        '2 to 3 times per week',
        '4 or more times per week',
      ),
      isScored: true,
    },
    {
      key: 'audit_c_2',
      text: 'On days in the past year when you drank alcohol how many drinks did you typically drink?',
      options: countUp('0, 1, or 2', '3 or 4', '5 or 6', '7-9', '10 or more'),
      isScored: true,
    },
    {
      key: 'audit_c_3',
      text:
        'How often did you have 6 or more (for men) or 4 or more (for women and everyone 65 and older) drinks on an ' +
        'occasion in the past year?',
      options: countUp('Never', 'Less than monthly', 'Monthly', 'Weekly', 'Daily or almost daily'),
      isScored: true,
    },
  ],
  rights: {
    terms: 'Available for use in the public domain',
    source: 'SAMHSA; wording of the US Department of Veterans Affairs',
    mayShowText: true,
  },
}
