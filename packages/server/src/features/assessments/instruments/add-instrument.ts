import { recordedInEveryLog } from '../../../kernel/audit/index.js'
import type { Database } from '../../../kernel/db/database.js'
import { hashToId, type AssessmentId } from '../../../kernel/ids.js'
import { operator } from '../../../kernel/operator.js'
import type { Instrument } from './instrument.js'
import { insertInstrument, withdrawInstrument } from './instruments.sql.js'
import { idOf, readInstruments } from './make-instruments.js'
import { InstrumentProblem, readInstrumentFile } from './read-instrument-file.js'

/** What a file would give, without adding it. Refuses with every problem and its place. */
export async function checkInstrumentFile(db: Database, text: string): Promise<Instrument> {
  const source = readInstrumentFile(text)
  const { catalogue } = await readInstruments(db)
  const id = idOf(source)
  const newest = catalogue.find(id)
  if (source.kind === 'instrument' && newest !== null && source.file.version <= newest.version) {
    throw new InstrumentProblem([`version: ${id} has one of ${newest.version}; give this one a later day`])
  }
  catalogue.add(source)
  const { version } = source.file
  const language = source.kind === 'textPack' ? source.file.language : null
  const instrument = catalogue.find(id, { version, language })
  if (instrument === null) throw new Error(`${id} of ${version} was added and is not there`)
  return instrument
}

/** For the operator: every instance offers it within seconds. */
export async function addInstrument(owner: Database, text: string): Promise<Instrument> {
  const instrument = await checkInstrumentFile(owner, text)
  const source = readInstrumentFile(text)
  const insert = insertInstrument({
    assessmentId: instrument.id,
    version: instrument.version,
    language: source.kind === 'textPack' ? source.file.language : '',
    source: text,
  })
  const subjects = [instrumentIdOf(instrument.id)]
  await owner.throughDoor(recordedInEveryLog(insert, { ...operator, operation: 'instrument.add', subjects }))
  return instrument
}

/** No longer offered; whoever was given it can still answer it. What comes with the program stays. */
export async function removeInstrument(owner: Database, assessmentId: AssessmentId): Promise<number> {
  const subjects = [instrumentIdOf(assessmentId)]
  const withdraw = withdrawInstrument(assessmentId)
  const removed = await owner.throughDoor(
    recordedInEveryLog(withdraw, { ...operator, operation: 'instrument.remove', subjects }),
  )
  return removed.length
}

/** For the audit log, which holds ids: whoever has the instrument's name finds the same. */
export const instrumentIdOf = (assessmentId: AssessmentId): string => hashToId(`instrument\n${assessmentId}`)
