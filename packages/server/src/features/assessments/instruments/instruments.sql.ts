import type { Statement } from '../../../kernel/db/database.js'
import type { AssessmentId } from '../../../kernel/ids.js'

export interface InstrumentRow {
  assessmentId: AssessmentId
  version: string
  language: string
  source: string
  isWithdrawn: boolean
}

/** All instruments that operators added, in the order in which they build on each other: a pack completes the newest version before it. */
export const selectInstruments = (): Statement<InstrumentRow> => ({
  name: 'select_instruments',
  text: `select assessment_id as "assessmentId", version, language, source, withdrawn_at is not null as "isWithdrawn"
    from casenote.instruments order by version, seq`,
  values: [],
})

export const insertInstrument = (row: Omit<InstrumentRow, 'isWithdrawn'>): Statement => ({
  text: `insert into casenote.instruments (assessment_id, version, language, source) values ($1, $2, $3, $4)
    returning version`,
  values: [row.assessmentId, row.version, row.language, row.source],
})

/** All that the operator added of it. Gives back how many that were. */
export const withdrawInstrument = (assessmentId: AssessmentId): Statement => ({
  text: `update casenote.instruments set withdrawn_at = now()
    where assessment_id = $1 and withdrawn_at is null returning version`,
  values: [assessmentId],
})
