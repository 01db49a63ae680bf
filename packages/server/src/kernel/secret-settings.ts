import { closeSync, openSync, readSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { errnoOf } from './errno.js'
import { parseMasterKeys } from './secrets/master-keys.js'
import { VARIABLES, type ReadVariable, type VariableName } from './variables.js'

/** Where the master key comes from. What is in the environment cannot change; the others are read again and again. */
export type MasterKeySetting =
  | { from: 'data folder' }
  | { from: 'environment'; keys: readonly Buffer[] }
  /** One key a line in each, the current one first. */
  | { from: 'files'; paths: readonly string[] }
  | { from: 'command'; words: readonly [string, ...string[]]; env: Readonly<NodeJS.ProcessEnv> }

/** Whether it is how the variable is given as a file. */
export const hasFile = (variable: (typeof VARIABLES)[number], name: string): boolean =>
  'isSecret' in variable && name === `${variable.name}_FILE`

/** A URL or a key takes less than a hundredth of it. */
const secretFileBytesMax = 65_536

/** Null: absent. `source` begins the sentence about a value that does not fit. */
export function readText(
  name: VariableName,
  env: NodeJS.ProcessEnv,
  problems: string[],
): { text: string | null; source: string } {
  const own = nonEmpty(env[name])
  const fileName = `${name}_FILE`
  const isSecret = VARIABLES.some((variable) => hasFile(variable, fileName))
  const path = isSecret ? nonEmpty(env[fileName]) : null
  if (path === null) return { text: own, source: `${name} must be` }
  if (own !== null) {
    problems.push(`${name} and ${fileName} must not both be set`)
    return { text: null, source: '' }
  }
  return { text: readSecretFile(fileName, path, problems), source: `${fileName} must name a file that holds` }
}

function nonEmpty(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? ''
  return trimmed === '' ? null : trimmed
}

/** Neither what is in it nor, since somebody may have put the secret itself there, how it is called is told. */
function readSecretFile(fileName: string, path: string, problems: string[]): string | null {
  try {
    const text = readStart(path).trim()
    if (text === '') problems.push(`${fileName} names an empty file`)
    return text === '' ? null : text
  } catch (error) {
    problems.push(`${fileName} names a file that cannot be read (${errnoOf(error) ?? 'unknown'})`)
    return null
  }
}

/** Not all of whatever it names: it may be a device without an end. */
function readStart(path: string): string {
  const descriptor = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(secretFileBytesMax)
    return bytes.toString('utf8', 0, readSync(descriptor, bytes))
  } finally {
    closeSync(descriptor)
  }
}

export function readMasterKey(
  env: NodeJS.ProcessEnv,
  read: ReadVariable,
  problems: string[],
): MasterKeySetting {
  const current = read('CASENOTE_MASTER_KEY', parseMasterKeys, null)
  const previous = read('CASENOTE_MASTER_KEY_PREVIOUS', parseMasterKeys, null)
  const words = read('CASENOTE_MASTER_KEY_COMMAND', parseCommand, null)
  if (words !== null) {
    if (current !== null || previous !== null)
      problems.push('CASENOTE_MASTER_KEY_COMMAND must not be used together with CASENOTE_MASTER_KEY')
    return { from: 'command', words, env: withoutOwn(env) }
  }
  if (previous !== null && current === null)
    problems.push('CASENOTE_MASTER_KEY_PREVIOUS must be used together with CASENOTE_MASTER_KEY')
  if (current === null) return { from: 'data folder' }
  const path = nonEmpty(env.CASENOTE_MASTER_KEY_FILE)
  const previousPath = nonEmpty(env.CASENOTE_MASTER_KEY_PREVIOUS_FILE)
  if (path === null) return { from: 'environment', keys: [...current, ...(previous ?? [])] }
  // A previous key that is not in a file would be forgotten with the first look at the others.
  if (previous !== null && previousPath === null)
    problems.push('CASENOTE_MASTER_KEY_FILE must be used together with CASENOTE_MASTER_KEY_PREVIOUS_FILE')
  return { from: 'files', paths: [path, ...(previousPath === null ? [] : [previousPath])] }
}

/** A command that asks a vault needs what the vault's own program reads, and none of our secrets. */
export const withoutOwn = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !name.startsWith('CASENOTE_') && !/^DATABASE_URL(?:_FILE)?$/.test(name),
    ),
  )

export function parseCommand(text: string): [string, ...string[]] | null {
  const words = parseJson(text)
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string' && !word.includes('\0')))
    return null
  const [program, ...rest] = words as string[]
  return program !== undefined && isAbsolute(program) ? [program, ...rest] : null
}

/** Undefined: it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
