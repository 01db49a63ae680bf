import { countUp, type Question } from './instrument.js'

/** What PHQ-9, PHQ-2, GAD-7 and GAD-2 have in common; one family, published together at phqscreeners.com. */
export const phqLeadIn =
  'Over the last 2 weeks, how often have you been bothered by any of the following problems?'

export const phqOptions = countUp('Not at all', 'Several days', 'More than half the days', 'Nearly every day')

/** Never added to the total. */
export const functionQuestion = (id: string): Question => ({
  key: `${id}_function`,
  text:
    'If you checked off any problems, how difficult have these problems made it for you to do your work, take care ' +
    'of things at home, or get along with other people?',
  options: countUp('Not difficult at all', 'Somewhat difficult', 'Very difficult', 'Extremely difficult'),
  isScored: false,
})

export const phqRights = {
  terms: 'Public domain; no permission needed to reproduce, translate, display or distribute',
  source: 'phqscreeners.com',
  mayShowText: true,
} as const
