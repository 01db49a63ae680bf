import type { Database } from '../../../kernel/db/database.js'
import { DirectoryCache, type DirectoryWatch } from '../../../kernel/directory-cache.js'
import type { AssessmentId } from '../../../kernel/ids.js'
import type { Log } from '../../../kernel/log.js'
import { builtInInstruments } from './built-in-instruments.js'
import { Catalogue } from './catalogue.js'
import { selectInstruments } from './instruments.sql.js'
import { InstrumentProblem, readInstrumentFile, type InstrumentSource } from './read-instrument-file.js'

export interface Instruments {
  /** The catalogue as of the last poll of the directory, at most a few seconds ago. */
  get(): Catalogue | Promise<Catalogue>
}

/** A row that does not fit (any more) and why. */
export interface RefusedInstrument {
  assessmentId: AssessmentId
  version: string
  language: string
  problems: readonly string[]
}

export function makeInstruments(parts: { db: Database; watch: DirectoryWatch; log: Log }): Instruments {
  const { db, watch, log } = parts
  const cache = new DirectoryCache<Catalogue>(watch)
  const load = async (): Promise<Catalogue> => {
    const { catalogue, refused } = await readInstruments(db)
    for (const one of refused) log.error(one, 'an instrument is left out')
    return catalogue
  }
  // What is loaded is never null, so neither is what the cache gives.
  return { get: () => cache.get('instruments', load) as Catalogue | Promise<Catalogue> }
}

/** Past every cache, for a command. What does not fit is left out: it must not stop the service. */
export async function readInstruments(
  db: Database,
): Promise<{ catalogue: Catalogue; refused: RefusedInstrument[] }> {
  const rows = await db.throughDoor(selectInstruments())
  const refused: RefusedInstrument[] = []
  const added = rows.flatMap((row) => {
    const { assessmentId, version, language, isWithdrawn } = row
    const refuseBecause = (problems: readonly string[]): void =>
      void refused.push({ assessmentId, version, language, problems })
    const source = tolerateProblem(() => readInstrumentFile(row.source), refuseBecause)
    return source === null ? [] : [{ source, isWithdrawn, refuseBecause }]
  })
  return { catalogue: buildCatalogue(added), refused }
}

export const makeBuiltInCatalogue = (): Catalogue => buildCatalogue([])

interface AddedInstrument {
  source: InstrumentSource
  isWithdrawn: boolean
  refuseBecause: (problems: readonly string[]) => void
}

/**
 * From the earliest version to the latest, as they came into use: words that somebody translated for a form are those of
 * that form, also after a release brings a newer one.
 */
function buildCatalogue(added: readonly AddedInstrument[]): Catalogue {
  const ours = builtInInstruments().map((source) => ({ source, isWithdrawn: false, refuseBecause: fail }))
  const catalogue = new Catalogue(ours.map(({ source }) => idOf(source)))
  const inOrder = [...ours, ...added].toSorted((a, b) =>
    a.source.file.version < b.source.file.version
      ? -1
      : Number(a.source.file.version > b.source.file.version),
  )
  for (const { source, isWithdrawn, refuseBecause } of inOrder) {
    tolerateProblem(() => catalogue.add(source, isWithdrawn), refuseBecause)
  }
  return catalogue
}

export const idOf = (source: InstrumentSource): string =>
  source.kind === 'instrument' ? source.file.id : source.file.completes

function fail(problems: readonly string[]): never {
  throw new InstrumentProblem(problems)
}

function tolerateProblem<Value>(
  work: () => Value,
  tell: (problems: readonly string[]) => void,
): Value | null {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof InstrumentProblem)) throw error
    tell(error.problems)
    return null
  }
}
