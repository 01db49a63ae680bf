import type { AssessmentId } from '../../../kernel/ids.js'
import { checkTexts } from './check-instrument.js'
import type { InstrumentFile, TextPackFile } from './instrument-file.js'
import type { Instrument } from './instrument.js'
import { requireNone, InstrumentProblem, type InstrumentSource } from './read-instrument-file.js'
import { wordInstrument } from './word-instrument.js'

/** What a client reads who asked for no language, or for one that an instrument does not have. */
const fallbackLanguage = 'en'

interface Edition {
  file: InstrumentFile
  /** A withdrawn one is no longer offered, but who was given it can still answer it. */
  isWithdrawn: boolean
}

/** Every instrument in every version, as the program and the operator have them. Never changes; another replaces it. */
export class Catalogue {
  readonly #editions = new Map<string, Edition[]>()
  readonly #worded = new Map<string, Instrument>()
  readonly #order: readonly string[]

  /** What is listed first, in this order. */
  constructor(order: readonly string[]) {
    this.#order = order
  }

  /** Refuses what does not fit, with its reasons. Later versions come after earlier ones. */
  add(source: InstrumentSource, isWithdrawn = false): void {
    const file = source.kind === 'instrument' ? source.file : this.#applyPack(source.file)
    const editions = this.#editions.get(file.id) ?? []
    const others = editions.filter((edition) => edition.file.version !== file.version)
    // Only a form that nobody can have read yet may get its words without a new version.
    const replaced = editions.find((edition) => !others.includes(edition))
    if (replaced !== undefined && Object.keys(replaced.file.texts).length > 0) {
      throw new InstrumentProblem([
        `version: ${file.id} has one of ${file.version}; give this one a later day`,
      ])
    }
    const inOrder = [...others, { file, isWithdrawn }].toSorted((a, b) =>
      a.file.version < b.file.version ? -1 : 1,
    )
    this.#editions.set(file.id, inOrder)
  }

  /** The version that is administered now, or the one that somebody was given. */
  find(
    assessmentId: AssessmentId,
    at: { version?: string; language?: string | null } = {},
  ): Instrument | null {
    const edition = this.#findEdition(assessmentId, at.version)
    if (edition === undefined) return null
    const { file } = edition
    const language = pickLanguage(Object.keys(file.texts), at.language ?? fallbackLanguage)
    const name = `${file.id}/${file.version}/${language}`
    const instrument = this.#worded.get(name) ?? wordInstrument(file, language)
    this.#worded.set(name, instrument)
    return instrument
  }

  list(): Instrument[] {
    const ids = new Set([...this.#order, ...this.#editions.keys()])
    return [...ids].flatMap((id) => this.find(id) ?? [])
  }

  /** What clinics can administer: only what has words that may be shown. */
  listOffered(): Instrument[] {
    return this.list().filter(({ id, language }) => language !== null && !this.#isWithdrawn(id))
  }

  isOffered(assessmentId: AssessmentId): boolean {
    return this.listOffered().some(({ id }) => id === assessmentId)
  }

  #isWithdrawn(assessmentId: AssessmentId): boolean {
    return (this.#editions.get(assessmentId) ?? []).every((edition) => edition.isWithdrawn)
  }

  #findEdition(assessmentId: AssessmentId, version: string | undefined): Edition | undefined {
    const editions = this.#editions.get(assessmentId)
    if (version !== undefined) return editions?.find(({ file }) => file.version === version)
    return editions?.findLast(({ isWithdrawn }) => !isWithdrawn) ?? editions?.at(-1)
  }

  /** The newest form with the pack's words, as a version of its own: who reads new words answers another version. */
  #applyPack(pack: TextPackFile): InstrumentFile {
    const base = this.#findEdition(pack.completes, undefined)?.file
    if (base === undefined) {
      throw new InstrumentProblem([`completes: there is no instrument ${pack.completes}`])
    }
    if (pack.version < base.version) {
      throw new InstrumentProblem([`version: the instrument has a newer one, ${base.version}`])
    }
    requireNone(checkTexts(base, pack.texts, 'texts'))
    return {
      ...base,
      version: pack.version,
      rights: { ...base.rights, permission: pack.permission },
      texts: { ...base.texts, [pack.language]: pack.texts },
    }
  }
}

/** The language itself, else its family (`es` for `es-MX`), else English, else the first. Null: there are no words. */
function pickLanguage(languages: readonly string[], wanted: string): string | null {
  const family = wanted.split('-')[0]
  const choices = [wanted, family, fallbackLanguage, languages[0]]
  return choices.find((choice) => choice !== undefined && languages.includes(choice)) ?? null
}
