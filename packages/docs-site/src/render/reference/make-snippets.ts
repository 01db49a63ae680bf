import type { SnippetCode } from '../code.js'
import type { Entry } from './open-api.js'

/**
 * One call in each language. They go on after the quick start's `connect`, whose `call` sends both headers. Ids of the path
 * are variables with the names of the path's parameters; the test of the reference sets them and runs every one.
 */
export function makeSnippets(entry: Entry): SnippetCode {
  return { sh: makeCurl(entry), ts: makeTypeScript(entry), python: makePython(entry) }
}

export const toUpper = (name: string): string => name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()
export const toSnake = (name: string): string => name.replaceAll(/[A-Z]/g, '_$&').toLowerCase()

const exampleOf = ({ requestBody }: Entry): unknown => requestBody?.content['application/json'].example

/** The name of a path's parameter as a variable: `id` says nothing beside other calls' ids. */
export function variableOf(path: string, name: string): string {
  if (name !== 'id') return name
  const [, nouns = ''] = /\/([a-z-]+)\/\{id\}/.exec(path) ?? []
  const noun = nouns.replace(/ies$/, 'y').replace(/s$/, '')
  return `${noun.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())}Id`
}

const fillPath = (path: string, write: (variable: string) => string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => write(variableOf(path, name)))

function makeCurl(entry: Entry): string {
  const { method, path, security } = entry
  const url = fillPath(path, (name) => `$${toUpper(name)}`)
  const lines = [`curl -sS ${method === 'GET' ? '' : `-X ${method} `}"$BASE_URL${url}"`]
  lines.push('  -H "X-API-Key: $API_KEY"')
  if (security === undefined) lines.push('  -H "Access-Token: $ACCESS_TOKEN"')
  const example = exampleOf(entry)
  if (example !== undefined) {
    // A quote in single quotes is written with its code, which JSON reads the same.
    const line = JSON.stringify(example)
    const body = (line.length <= widthMax ? line : JSON.stringify(example, null, 2)).replaceAll(
      "'",
      String.raw`\u0027`,
    )
    lines.push(`  -H 'Content-Type: application/json'`, `  -d '${body.replaceAll('\n', '\n  ')}'`)
  }
  return lines.join(' \\\n')
}

function makeTypeScript(entry: Entry): string {
  const { method, path } = entry
  const isPlain = !path.includes('{')
  const url = isPlain ? `'${path}'` : `\`${fillPath(path, (name) => `\${${name}}`)}\``
  const example = exampleOf(entry)
  const body = example === undefined ? '' : `, ${writeValue(example, typeScriptWords)}`
  return `console.log(await call('${method}', ${url}${body}))`
}

function makePython(entry: Entry): string {
  const { method, path } = entry
  const isPlain = !path.includes('{')
  const url = `${isPlain ? '' : 'f'}"${fillPath(path, (name) => `{${toSnake(name)}}`)}"`
  const example = exampleOf(entry)
  const body = example === undefined ? '' : `, ${writeValue(example, pythonWords)}`
  return `print(call("${method}", ${url}${body}))`
}

interface Words {
  none: string
  yes: string
  no: string
  key(name: string): string
  text(value: string): string
}

const typeScriptWords: Words = {
  none: 'null',
  yes: 'true',
  no: 'false',
  key: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)),
  text: (value) => (/['\\\n]/.test(value) ? JSON.stringify(value) : `'${value}'`),
}

const pythonWords: Words = {
  none: 'None',
  yes: 'True',
  no: 'False',
  key: (name) => JSON.stringify(name),
  text: (value) => JSON.stringify(value),
}

/** Wider than this, an object is written one field a line. */
const widthMax = 70

function writeValue(value: unknown, words: Words, indent = ''): string {
  if (value === null) return words.none
  if (value === true) return words.yes
  if (value === false) return words.no
  if (typeof value === 'string') return words.text(value)
  if (typeof value !== 'object') return JSON.stringify(value)
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((one) => writeValue(one, words, inner))
    : Object.entries(value).map(([name, one]) => `${words.key(name)}: ${writeValue(one, words, inner)}`)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  const space = isList || words === pythonWords ? '' : ' '
  const line = `${open}${space}${parts.join(', ')}${space}${close}`
  if (parts.length === 0) return `${open}${close}`
  if (line.length <= widthMax && !line.includes('\n')) return line
  return `${open}\n${parts.map((part) => `${inner}${part},`).join('\n')}\n${indent}${close}`
}
