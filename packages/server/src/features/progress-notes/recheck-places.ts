import { PlaceLine } from '../../kernel/place-line.js'
import { refuse } from '../../kernel/refuse.js'
import type { TenantScope } from '../../kernel/tenant.js'
import type { NoteRow } from './progress-notes.sql.js'

/** Each holds a note and hours of talk, some 5 MB. The checker has three threads: more at once only wait for them. */
const most = 32
/** Somebody's hand is in one note at a time; a program that changes many goes on with the next when one is done. */
const ofClinicianMost = 4
/** Each holds its body, a megabyte at the most. */
const waitingMost = 200
/** A check takes milliseconds: who finds no place by then is behind a crowd. */
const waitMs = 5_000

/** The places in which texts that somebody changed are checked, one line for a process: nobody fills it for the others. */
export const makeRecheckPlaces = (): PlaceLine =>
  new PlaceLine({ most, ofOwnerMost: ofClinicianMost, waitingMost })

/** What was typed is not lost by it: whoever sent it has it still, and sends it again. */
export const notChecked = () =>
  refuse.busy('busy', 'Too many notes are changed at once; send the change again in a moment')

/** Refuses where there is no place: nothing of the change was done then. */
export async function inRecheckPlace<Result>(
  places: PlaceLine,
  { tenantId }: TenantScope,
  { clinicianId }: NoteRow,
  work: () => Promise<Result>,
): Promise<Result> {
  const leave = await places.take({ tenantId, owner: clinicianId }, waitMs)
  if (leave === null) throw notChecked()
  try {
    return await work()
  } finally {
    leave()
  }
}
