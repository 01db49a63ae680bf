// What comes in and goes out of the server is typed by what describes it, not by whoever reads it: a row by its statement, an id by the
// path of its route, an answer by its schema. So nothing is cast in *.routes.ts and *.sql.ts, and no row is told what it is by its reader.
// What the console, the widget and clients' pages ask for is typed by the contract, as what they are told is.
// An id is declared as the id that it is (kernel/ids.ts), so that no other thing's is taken for it. One that may be missing is null, and no
// empty text stands for it, nor in what browsers load. Who calls, and of which tenant, is known by the type of the route: http/ casts neither.
// What is left of casts is counted in boundaries-left.json, file by file: the list may only get shorter. --write counts anew.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'oxc-parser'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const source = join(root, 'packages/server/src')

const list = join(root, 'bin/boundaries-left.json')
/** @type {Readonly<Record<string, number>>} */
const left = JSON.parse(readFileSync(list, 'utf8'))

/** `sessionId` and the rest, as kernel/ids.ts names them, and their types. */
const { idNames, idTypes } = readIds()
const isIdName = (name) =>
  idNames.some((one) => name === one || name.endsWith(one.charAt(0).toUpperCase() + one.slice(1)))

function readIds() {
  const file = join(source, 'kernel/ids.ts')
  const names = []
  const types = new Set()
  new Visitor({
    TSInterfaceDeclaration({ id, body }) {
      if (id.name === 'NamedIds') names.push(...body.body.map(({ key }) => key.name))
    },
    TSTypeAliasDeclaration({ id }) {
      if (id.name !== 'Id') types.add(id.name)
    },
  }).visit(parseSync(file, readFileSync(file, 'utf8')).program)
  if (names.length === 0 || types.size === 0) throw new Error('kernel/ids.ts names no ids')
  return { idNames: names, idTypes: types }
}

/** Of one: `string`, or nothing; of several: an array or a set of them. */
const several = new Set(['Array', 'ReadonlyArray', 'Set', 'ReadonlySet', 'Iterable'])
function isPlain(type) {
  if (type.type === 'TSStringKeyword') return true
  if (type.type === 'TSUnionType') return type.types.some(isPlain)
  if (type.type === 'TSArrayType') return isPlain(type.elementType)
  if (type.type === 'TSTypeOperator' || type.type === 'TSParenthesizedType')
    return isPlain(type.typeAnnotation)
  return (
    type.type === 'TSTypeReference' &&
    several.has(type.typeName.name) &&
    (type.typeArguments?.params ?? []).some(isPlain)
  )
}

function findPlainIds(file, text) {
  const found = []
  const look = (key, annotation) => {
    const name = key.name ?? key.value
    if (typeof name !== 'string' || !annotation || !isPlain(annotation.typeAnnotation)) return
    if (!isIdName(name) && !(name.endsWith('s') && isIdName(name.slice(0, -1)))) return
    const at = text.slice(0, key.start).split('\n').length
    found.push(`${file}:${at}: ${name} is not any string: its type stands in kernel/ids.ts`)
  }
  new Visitor({
    Identifier: (node) => look(node, node.typeAnnotation),
    RestElement: ({ argument, typeAnnotation }) => look(argument, typeAnnotation),
    TSPropertySignature: ({ key, typeAnnotation }) => look(key, typeAnnotation),
    PropertyDefinition: ({ key, typeAnnotation }) => look(key, typeAnnotation),
  }).visit(parseSync(file, text).program)
  return found
}

const isConst = ({ typeAnnotation: { type, typeName } }) =>
  type === 'TSTypeReference' && typeName.name === 'const'
const isCallOf = (node, names) =>
  node?.type === 'CallExpression' &&
  node.callee.type === 'MemberExpression' &&
  names.includes(node.callee.property.name)
const unwrap = (node) => {
  let inner = node
  while (inner.type === 'ParenthesizedExpression' || inner.type === 'AwaitExpression')
    inner = inner.expression ?? inner.argument
  return inner
}

/** An id that is made a string, or a string that is made an id. */
function isOfId({ expression, typeAnnotation }) {
  if (typeAnnotation.type === 'TSTypeReference') return idTypes.has(typeAnnotation.typeName.name)
  const inner = unwrap(expression)
  const name = inner.name ?? inner.property?.name ?? ''
  return typeAnnotation.type === 'TSStringKeyword' && (name === 'id' || isIdName(name))
}

/** What asks the database, and gives rows. */
const asking = ['read', 'run', 'throughDoor', 'writeAtOnce', 'ask']

/** The names that a pattern gives to what it takes apart. */
function listNames(pattern) {
  if (pattern?.type === 'Identifier') return [pattern.name]
  if (pattern?.type === 'ArrayPattern') return pattern.elements.flatMap(listNames)
  if (pattern?.type === 'AssignmentPattern') return listNames(pattern.left)
  return []
}

/** `row` of `row?.[0]`. */
function rootOf(node) {
  let inner = unwrap(node)
  while (inner.type === 'MemberExpression' || inner.type === 'ChainExpression')
    inner = unwrap(inner.object ?? inner.expression)
  return inner.name
}

/** The names of what stands left of `??`: in `a?.sessionId ?? b.clientId ?? ''` both. */
function listFallenBack(node) {
  const inner = unwrap(node)
  if (inner.type === 'LogicalExpression') return [inner.left, inner.right].flatMap(listFallenBack)
  if (inner.type === 'ChainExpression') return listFallenBack(inner.expression)
  return [inner.name ?? inner.property?.name ?? '']
}

const isEmptyForId = ({ operator, left: given, right }) =>
  operator === '??' &&
  right.value === '' &&
  listFallenBack(given).some((name) => name === 'id' || isIdName(name))
const saysNoEmptyId = 'an id that is missing is null, and no empty text'

/** In packages that know no rows: an id that may be missing. */
function findEmptyIds(file, text) {
  const found = []
  new Visitor({
    LogicalExpression(node) {
      if (isEmptyForId(node))
        found.push(`${file}:${text.slice(0, node.start).split('\n').length}: ${saysNoEmptyId}`)
    },
  }).visit(parseSync(file, text).program)
  return found
}

function listRowNames(text, file) {
  const names = new Set()
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (init && isCallOf(unwrap(init), asking)) for (const name of listNames(id)) names.add(name)
    },
  }).visit(parseSync(file, text).program)
  return names
}

const callerTypes = new Set(['Session', 'TenantScope'])

function findCasts(file, text) {
  // The engines know no database: what they ask are threads and models.
  const hasRows = !file.startsWith('engines/')
  const rows = listRowNames(text, file)
  const isBoundary = /\.(routes|sql)\.ts$/.test(file)
  const found = []
  const add = (node, says) => found.push({ at: text.slice(0, node.start).split('\n').length, says })
  new Visitor({
    TSAsExpression(node) {
      if (isConst(node)) return
      if (hasRows && (isCallOf(unwrap(node.expression), asking) || rows.has(rootOf(node.expression))))
        add(node, 'a row is typed by its statement: Statement<Row>')
      else if (unwrap(node.expression).property?.name === 'tenant')
        add(node, 'whose request it is, tenantOf (http/gateway.ts) knows')
      else if (isBoundary) add(node, 'nothing is cast here')
      else if (isOfId(node))
        add(node, 'an id keeps its type, and a plain string is taken for any: it needs no cast')
      else if (file.startsWith('http/') && callerTypes.has(node.typeAnnotation.typeName?.name))
        add(node, 'who calls, and of which tenant, is known by the type of the route')
    },
    TSNonNullExpression(node) {
      if (isBoundary) add(node, 'nothing is taken to be there')
    },
    CallExpression(node) {
      if (hasRows && isCallOf(node, asking) && node.typeArguments)
        add(node, 'a row is typed by its statement: Statement<Row>')
    },
    LogicalExpression(node) {
      if (node.operator !== '??' || node.right.value !== '') return
      if (file.endsWith('.routes.ts')) add(node, 'an id is typed by the path of its route')
      else if (isEmptyForId(node)) add(node, saysNoEmptyId)
    },
  }).visit(parseSync(file, text).program)
  return found
}

/** By which what browsers load asks the service: the console, clients' pages, and the widget, whose `get` reads and so says what. */
const callsOfService = new Set(['useLive', 'callService', 'call', 'get', 'send', 'getTagged', 'sendTagged'])
const isUntoldRead = ({ callee, typeArguments }) =>
  !typeArguments &&
  ['get', 'getTagged'].includes(callee.property?.name) &&
  (callee.object.name ?? callee.object.property?.name) === 'api'

/** What is asked for has a name of the contract: what a screen believes of an answer is what the service is held to. */
function findOwnAnswers(file, text) {
  const known = new Set()
  const found = []
  const isKnown = (type) =>
    type.type === 'TSArrayType'
      ? isKnown(type.elementType)
      : type.type === 'TSUnionType'
        ? type.types.every(isKnown)
        : type.type === 'TSTypeReference' &&
          known.has(type.typeName.name) &&
          (type.typeArguments?.params ?? []).every(isKnown)
  const { program } = parseSync(file, text)
  new Visitor({
    ImportDeclaration({ source: { value }, specifiers }) {
      if (value === '@casenote/contract') for (const { local } of specifiers) known.add(local.name)
    },
    // Of what passes an answer on without looking at it.
    TSTypeParameter: ({ name }) => known.add(name.name),
  }).visit(program)
  new Visitor({
    CallExpression(node) {
      const name = node.callee.name ?? node.callee.property?.name
      const isOwn = callsOfService.has(name) && !(node.typeArguments?.params ?? []).every(isKnown)
      if (!isOwn && !isUntoldRead(node)) return
      const at = text.slice(0, node.start).split('\n').length
      found.push(`${file}:${at}: what is answered is typed by its schema (packages/contract/src)`)
    },
  }).visit(program)
  return found
}

const problems = []
for (const name of ['client-pages', 'console', 'widget']) {
  const folder = join(root, 'packages', name, 'src')
  for (const one of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (!/\.tsx?$/.test(one)) continue
    const [file, text] = [`${name}/src/${one}`, readFileSync(join(folder, one), 'utf8')]
    problems.push(...findOwnAnswers(file, text), ...findEmptyIds(file, text))
  }
}

const counts = {}
for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' }).toSorted()) {
  if (!file.endsWith('.ts')) continue
  const text = readFileSync(join(source, file), 'utf8')
  problems.push(...findPlainIds(file, text))
  if (file.startsWith('kernel/db/')) continue
  const found = findCasts(file, text)
  if (found.length > 0) counts[file] = found.length
  if (found.length > (left[file] ?? 0))
    problems.push(...found.map(({ at, says }) => `${file}:${at}: ${says}`))
}
for (const [file, count] of Object.entries(left))
  if ((counts[file] ?? 0) < count)
    problems.push(`${file}: ${counts[file] ?? 0} are left of ${count}: node bin/check-boundaries.js --write`)

if (process.argv.includes('--write')) writeFileSync(list, `${JSON.stringify(counts, null, 2)}\n`)
else {
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  process.exitCode = problems.length === 0 ? 0 : 1
}
