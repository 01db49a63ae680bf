// What comments and documents cite is there: files, by their name or by a path; folders of ours, in ticks and with their stroke; decisions, by
// their number in four digits; rulings and parts of the contract, by theirs; and in comments names of the code, in ticks. Fails with one
// line for each that is not.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** What is tracked, and what is new and not ignored: a file that was just written counts. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)))

const isCode = (file) => /\.(?:[jt]sx?|mjs|py)$/.test(file) && !/\/(?:generated|dist)\//.test(file)
const isDocument = (file) => file.endsWith('.md') && !file.startsWith('packages/server/models/')

/** Of the kinds that we write ourselves. What ends otherwise (`.wav`, `.pem`, `.key`) is mostly made while the program runs. */
const cited = /(?<![\w@$%{*.:/-])((?:[\w.-]+\/)*[\w.-]+\.(?:tsx?|mjs|js|sql|jsonl|md))(?![\w/(-]|\.\w)/g
const citedFolder =
  /`((?:(?:packages|bin|bench|conformance|deploy|docs|eval|sdk|engines|features|kernel|pipeline|main|jobs|http)\/)(?:[\w.-]+\/)*)`/g
/** With a capital inside, as no plain word has one. */
const citedName = /`([a-z]+(?:[A-Z][a-z0-9]*)+)(?:\(\))?`/g
const citedDecision = /\bdecisions? (\d{4})\b/g

/** A record has four digits, so that none is taken for a ruling, which was once called so. In quotes it is told of. */
const shortDecision = /(?<!")\bdecisions? \d{1,3}\b/i
const alsoCited = String.raw`\d+(?:(?:,|,? and|,? or| to) \d+)*`
/** What has numbered headings, and how a comment, a title of a test or a document cites them. */
const numbered = [
  {
    cited: new RegExp(String.raw`\brulings? (${alsoCited})`, 'gi'),
    numbers: listNumbers('docs/contract/rulings.md'),
    is: 'a ruling',
  },
  {
    cited: new RegExp(String.raw`\bcontract(?:'s)?,? \(?parts? (${alsoCited})`, 'gi'),
    numbers: listNumbers('docs/contract/partner-api.md'),
    is: 'a part of the contract',
  },
]

function listNumbers(document) {
  const text = readFileSync(join(root, document), 'utf8')
  const found = [...text.matchAll(/^## (\d+)\. /gm)].map(([, number]) => number)
  if (found.length === 0) throw new Error(`${document} has no numbered headings`)
  return new Set(found)
}

const known = new Set(files)
const byName = new Map()
for (const file of files) byName.set(basename(file), [...(byName.get(basename(file)) ?? []), file])

/** A path is good from the root, from the file that cites it, or from any folder on the way: `engines/reader/reading.ts`. */
function isThere(path, citing) {
  // What is compiled is cited for what it is compiled from.
  const plain = path.replace(/^(?:\.\.?\/)+/, '').replace('/dist/', '/src/')
  if (known.has(plain) || known.has(join(dirname(citing), path))) return true
  const names = [
    basename(plain),
    basename(plain).replace(/\.js$/, '.ts'),
    basename(plain).replace(/\.js$/, '.tsx'),
  ]
  return names.some((name) =>
    (byName.get(name) ?? []).some((file) =>
      `/${file}`.endsWith(`/${dirname(plain) === '.' ? '' : `${dirname(plain)}/`}${name}`),
    ),
  )
}

/** Examples of names, files that the reader of a guide writes, and files of other people's repositories. */
const examples = new Set([
  'NNNN_name.sql',
  'packages/server/migrations/NNNN_name.sql',
  'verb-noun.ts',
  'quick-start.mjs',
  'receive.mjs',
  'verify.mjs',
  'digest.mjs',
  'kessler.md',
  'forestry.md',
])

const folders = new Set(files.flatMap((file) => listFolders(file)))
const names = new Set()
const comments = []
const problems = []
for (const file of files) {
  if (!isCode(file) && !isDocument(file)) continue
  const text = readFileSync(join(root, file), 'utf8')
  if (isCode(file)) readNames(file, text)
  for (const { line, at } of listLines(text)) checkNumbers(file, line, at)
  for (const { line, at } of isCode(file) ? listComments(text, file) : listLines(text)) {
    for (const [, path] of line.matchAll(cited))
      if (!examples.has(path) && !isThere(path, file))
        problems.push(`${file}:${at} cites ${path}, which is not there`)
    for (const [, path] of line.matchAll(citedFolder))
      if (!folders.has(path)) problems.push(`${file}:${at} cites ${path}, which is not there`)
    for (const [, number] of line.matchAll(citedDecision))
      if (!files.some((one) => one.startsWith(`docs/decisions/${number}-`)))
        problems.push(`${file}:${at} cites decision ${number}, which is not there`)
  }
}

for (const { file, line, at } of comments)
  for (const [, name] of line.matchAll(citedName))
    if (!names.has(name)) problems.push(`${file}:${at} cites ${name}, which no code says`)

function checkNumbers(file, line, at) {
  if (shortDecision.test(line))
    problems.push(`${file}:${at} cites a decision by fewer than four digits: it reads as a ruling`)
  for (const { cited: pattern, numbers, is } of numbered)
    for (const [, told] of line.matchAll(pattern))
      for (const number of told.match(/\d+/g))
        if (!numbers.has(number)) problems.push(`${file}:${at} cites ${number} as ${is}, which is not there`)
}

/** Every end of the path to it, each with its stroke: `packages/server/src/http/` is also `http/`. */
function listFolders(file) {
  const parts = dirname(file).split('/')
  return parts.flatMap((_, end) =>
    parts.slice(0, end + 1).map((__, start) => `${parts.slice(start, end + 1).join('/')}/`),
  )
}

/** What code says, and what its comments cite: one that only comments name is no longer there. */
function readNames(file, text) {
  const lines = listComments(text, file)
  for (const one of lines) comments.push({ file, ...one })
  const ofComments = new Set(lines.map(({ at }) => at))
  for (const { line, at } of listLines(text))
    if (!ofComments.has(at)) for (const [word] of line.matchAll(/[A-Za-z_$][\w$]*/g)) names.add(word)
}

function listLines(text) {
  return text.split('\n').map((line, index) => ({ line, at: index + 1 }))
}

/** Lines that are a comment, or end with one. */
function listComments(text, file) {
  const begins = file.endsWith('.py') ? /(?:^|\s)#(.*)$/ : /(?:^|\s)(?:\/\/|\/\*\*?)(.*)$|^\s*\*(.*)$/
  return listLines(text).flatMap(({ line, at }) => {
    const found = begins.exec(line)
    return found === null ? [] : [{ line: found[1] ?? found[2] ?? '', at }]
  })
}

for (const problem of problems) process.stderr.write(`${problem}\n`)
process.exitCode = problems.length === 0 ? 0 : 1
