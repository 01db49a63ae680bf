import type { Database } from '../../../kernel/db/database.js'
import { DirectoryCache, type DirectoryWatch } from '../../../kernel/directory-cache.js'
import type { Log } from '../../../kernel/log.js'
import { builtInInstruments } from './built-in-instruments.js'
import { Catalogue } from './catalogue.js'
import { selectInstruments, type InstrumentRow } from './instruments.sql.js'
import { InstrumentProblem, readInstrumentFile } from './read-instrument-file.js'

export interface Instruments {
  /** As of the last poll of the directory, at most a few seconds ago. */
  get(): Catalogue | Promise<Catalogue>
}

/** A row that does not fit (any more) and why. */
export interface RefusedInstrument {
  assessmentId: string
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
  const rows = await db.throughDoor<InstrumentRow & Record<string, unknown>>(selectInstruments())
  const catalogue = makeBuiltInCatalogue()
  const refused: RefusedInstrument[] = []
  for (const { assessmentId, version, language, source, isWithdrawn } of rows) {
    try {
      catalogue.add(readInstrumentFile(source), isWithdrawn)
    } catch (error) {
      if (!(error instanceof InstrumentProblem)) throw error
      refused.push({ assessmentId, version, language, problems: error.problems })
    }
  }
  return { catalogue, refused }
}

export function makeBuiltInCatalogue(): Catalogue {
  const catalogue = new Catalogue()
  for (const source of builtInInstruments()) catalogue.add(source)
  return catalogue
}
