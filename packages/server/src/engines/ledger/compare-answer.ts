import type { NoteIndex } from './index-note.js'
import type { LedgerEntry } from './ledger.js'
import { readTense } from '../reader/danger/read-danger-claims.js'

/**
 * An answer about self-harm in a questionnaire against a note, which quotes no place of the talk for it: stated by any
 * sentence that says of the client, as of now, that they think of suicide or of hurting themselves, or that this is unclear.
 * A denial in the session does not state it: the note then says two things, and the clinician which of them holds.
 */
export const compareAnswer = (note: NoteIndex): Pick<LedgerEntry, 'state' | 'sentence'> => {
  const stating = [...note.claiming('suicide'), ...note.claiming('self_harm')].find(
    ({ isRefused, claims, plain }) =>
      !isRefused &&
      readTense(plain) !== 'past' &&
      claims.some(
        ({ matter, standing, whose }) =>
          (matter === 'suicide' || matter === 'self_harm') && standing !== 'denied' && whose === 'client',
      ),
  )
  return stating === undefined
    ? { state: 'not_written', sentence: null }
    : { state: 'stated', sentence: stating.text }
}
