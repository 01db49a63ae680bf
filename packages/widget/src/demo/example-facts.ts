type Fact = readonly [string, string]

export interface Facts {
  visit: string
  overview: readonly Fact[]
  history: readonly Fact[]
}

/** Invented, so that a chart looks like one; the sandbox's clients have no record but what is recorded here. */
const examples: readonly Facts[] = [
  {
    visit: 'Follow-up, 50 min',
    overview: [
      ['Problems', 'Generalized anxiety · Insomnia'],
      ['Medicines', 'Sertraline 50 mg, once a day'],
      ['Allergies', 'Penicillin (rash)'],
      ['Care plan', 'Weekly sessions; thought record; review in six weeks'],
    ],
    history: [
      ['Last visit', 'Two weeks ago: sleep slightly better, worries about work'],
      ['Before', 'Referred by the family doctor in spring'],
    ],
  },
  {
    visit: 'Medication review, 30 min',
    overview: [
      ['Problems', 'Recurrent depression, in partial remission'],
      ['Medicines', 'Venlafaxine 75 mg, once a day'],
      ['Allergies', 'None known'],
      ['Care plan', 'Review of the dose; blood pressure at each visit'],
    ],
    history: [
      ['Last visit', 'A month ago: mood steadier, dry mouth in the morning'],
      ['Before', 'One stay in hospital, four years ago'],
    ],
  },
  {
    visit: 'First visit, 80 min',
    overview: [
      ['Reason', 'Panic on the way to work since the summer'],
      ['Medicines', 'None'],
      ['Allergies', 'Not asked yet'],
      ['Care plan', 'To be agreed today'],
    ],
    history: [['Before', 'No earlier visits here']],
  },
]

export const factsOf = (index: number): Facts => examples[index % examples.length] as Facts
