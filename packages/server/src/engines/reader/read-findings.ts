import { findAllergies } from './allergies/find-allergies.js'
import { findDanger } from './danger/find-danger.js'
import { readAccount } from './danger/read-account.js'
import { findDecisions } from './decisions/find-decisions.js'
import type { DangerFigures } from './encoder/figures.js'
import { findQuestions } from './questions/find-questions.js'
import { findMedicines } from './medicines/find-medicines.js'
import type { AllergyFinding, MedicineFinding, Reading, TopicScores } from './reading.js'
import { findScores } from './scores/find-scores.js'
import type { Turn } from './talk/read-talk.js'

/** What the rules read where the encoder found something, and where plain words stand. */
export const readFindings = (
  turns: readonly Turn[],
  topics: readonly TopicScores[],
  figures: readonly DangerFigures[] = [],
): Pick<Reading, 'findings' | 'questionOf'> => {
  const questionOf = findQuestions(turns)
  const talk = { turns, questionOf, figures }
  const allergies = findAllergies(turns, topics, questionOf)
  const findings = [
    ...readAccount(turns, topics, findDanger(talk, topics)),
    ...withoutAllergens(findMedicines(turns, topics, questionOf), allergies),
    ...allergies,
    ...findScores(turns, topics, questionOf),
    ...findDecisions(turns, topics, questionOf),
  ]
  return { findings: [...new Map(findings.map((one) => [one.id, one])).values()], questionOf }
}

/** What is named only as something that is not borne is no medicine of anybody, unless it is said to have been given once. */
const withoutAllergens = (
  medicines: readonly MedicineFinding[],
  allergies: readonly AllergyFinding[],
): MedicineFinding[] =>
  medicines.filter(
    ({ name, items, dose, status }) =>
      dose !== null ||
      status === 'past' ||
      status === 'stopped' ||
      !allergies.some(
        (allergy) => allergy.substance === name && items.every((item) => allergy.items.includes(item)),
      ),
  )
