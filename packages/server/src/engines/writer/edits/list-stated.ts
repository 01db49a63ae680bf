import { nameMatters } from '../../ledger/name-matters.js'
import { keyOfDanger, type DangerTopic } from '../../ledger/read-dangers.js'
import { readStatements } from '../../ledger/read-statements.js'

/** One thing that a sentence states of a guarded matter, so that it can be missed after an edit, or seen to be new. */
export interface Stated {
  key: string
  /** As a refusal calls it. */
  matter: string
  topic: DangerTopic | null
  /** Of a medicine: its dose, how often it is taken or what became of it. */
  part: string | null
  /** Only its section says what it is of, as "Peanuts" among the allergies. */
  isBySection: boolean
}

export const listStated = (sentence: string, section: string): Stated[] => {
  const { dangers, medicines, allergy, dispositions } = readStatements(sentence, section)
  return [
    ...dangers.map((danger): Stated => ({
      key: keyOfDanger(danger),
      matter: danger.topic === 'weapon' ? 'weapons' : 'danger',
      topic: danger.topic,
      part: null,
      isBySection: false,
    })),
    ...medicines.flatMap(({ generic, stated }) =>
      stated.map((part): Stated => ({ ...toStated(generic, part), part })),
    ),
    ...(allergy === null
      ? []
      : [{ ...toStated('allergies', allergy), isBySection: !nameMatters(sentence).includes('allergies') }]),
    ...dispositions.map((one) => toStated('disposition', one)),
  ]
}

const toStated = (matter: string, said: string): Stated => ({
  key: `${matter} ${said}`,
  matter,
  topic: null,
  part: null,
  isBySection: false,
})
