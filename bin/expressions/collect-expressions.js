import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseSync, Visitor } from 'oxc-parser'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** What runs here is read compiled, so that what is built while a file loads can be told by its place. */
const compiled = ['packages/server/dist', 'packages/contract/dist']
/** What browsers load is bundled: its sources are read. */
const forBrowsers = ['packages/widget/src', 'packages/client-pages/src', 'packages/console/src']

/** An operator's own file of expressions, about notes of invented sessions, in a command of its own. */
const exempt = 'packages/server/dist/main/proof/'
/** The same once more, with the packages that are used. */
const bundled = 'packages/server/dist/bundle/'

/**
 * Every regular expression of the sources: literals, patterns of schemas, and what is built while a file is loaded. `unknown` are the places
 * that build one later, from what they are given: nobody can say what that will be.
 */
export async function collectExpressions() {
  const found = new Map()
  const built = []
  for (const file of listFiles()) {
    const { literals, places } = readFile(file)
    for (const { source, flags } of literals) add(found, { source, flags, file })
    for (const place of places) built.push({ file, place })
  }
  const seen = await watchLoading([...new Set(built.map(({ file }) => file))])
  for (const one of seen) add(found, one)
  const known = new Set(seen.map(({ file, place }) => `${file}:${place}`))
  const unknown = built.map(({ file, place }) => `${file}:${place}`).filter((at) => !known.has(at))
  return { expressions: [...found.values()], unknown }
}

const add = (found, { source, flags, file }) => {
  const key = `/${source}/${flags}`
  const one = found.get(key) ?? { source, flags, files: [] }
  if (!one.files.includes(file)) one.files.push(file)
  found.set(key, one)
}

const listFiles = () =>
  [...compiled, ...forBrowsers].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:js|ts|tsx)$/.test(name) && !name.endsWith('.d.ts'))
      .map((name) => join(folder, name))
      .filter((file) => !file.startsWith(exempt) && !file.startsWith(bundled))
      .toSorted(),
  )

function readFile(file) {
  const text = readFileSync(join(root, file), 'utf8')
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
  const literals = []
  const places = []
  const onCall = ({ callee, start }) => {
    if (callee.type === 'Identifier' && callee.name === 'RegExp') places.push(placeOf(text, start))
  }
  new Visitor({
    Literal: ({ regex }) => {
      if (regex) literals.push({ source: regex.pattern, flags: regex.flags })
    },
    // A schema's is compiled by what validates with it, with this flag.
    Property: ({ key, value }) => {
      if ((key.name ?? key.value) !== 'pattern') return
      const source = readText(value)
      if (source !== null) literals.push({ source, flags: 'u' })
    },
    NewExpression: onCall,
    CallExpression: onCall,
  }).visit(program)
  return { literals, places }
}

const readText = (value) => {
  if (value.type === 'TemplateLiteral' && value.expressions.length === 0) return value.quasis[0].value.cooked
  return value.type === 'Literal' && typeof value.value === 'string' ? value.value : null
}

const placeOf = (text, offset) => {
  const lines = text.slice(0, offset).split('\n')
  return `${lines.length}:${lines.at(-1).length + 1}`
}

/** What the files build while they are loaded, each with its place. */
async function watchLoading(files) {
  const seen = []
  const note = (expression) => {
    const [, path, place] = /(file:\/\/\S+?):(\d+:\d+)\)?$/m.exec(callerOf(new Error().stack)) ?? []
    if (path !== undefined) {
      const file = relative(root, fileURLToPath(path))
      seen.push({ source: expression.source, flags: expression.flags, file, place })
    }
    return expression
  }
  const native = globalThis.RegExp
  globalThis.RegExp = new Proxy(native, {
    construct: (target, given) => note(Reflect.construct(target, given)),
    apply: (target, _, given) => note(target(...given)),
  })
  try {
    for (const file of files) if (file.includes('/dist/')) await import(pathToFileURL(join(root, file)).href)
  } finally {
    globalThis.RegExp = native
  }
  return seen
}

const callerOf = (stack = '') =>
  stack.split('\n').find((line) => line.includes('/packages/') && line.includes('/dist/')) ?? ''
