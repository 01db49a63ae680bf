// Nothing looks up. In the server: main → pipeline → features → http, jobs, engines → kernel, and of the engines writer, checker → ledger →
// reader and what stands beside it → text → lexicon; a feature uses another feature through its
// index.ts only, and the writer is used, from above and by tests, through its doors. In the other packages: the floors below. Of
// packages, each knows those that it names here, and nothing reaches into another one's files. Tests live with the package that they are
// about and know what it knows; the server's, which also run everything together, are named where they look into another package.
// No files import each other in a circle, neither by what they load later, but for the widget's screens: what one of them opens may lead back.
// Fails with one line for each import that does not fit.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Engines that know nothing of one another. */
const besideEachOther = ['reader', 'models', 'speech', 'signing', 'typeset']

/** From the top floor down; folders on one floor do not know each other. A folder that is not named belongs to the one around it. */
const packages = {
  contract: { knows: [], floors: [['.']] },
  server: {
    knows: ['contract'],
    testsKnow: ['sdk'],
    floors: [['main'], ['pipeline'], ['features'], ['http', 'jobs', 'engines'], ['kernel']],
    // Writer and checker know each other: threads of the checker do the writer's work, too, and the writer asks them.
    above: [
      ...orderFolders('engines', [
        ['writer', 'checker'],
        ['ledger'],
        besideEachOther,
        ['openai-protocol', 'text'],
        ['lexicon'],
      ]),
      ...keepApart('engines', besideEachOther),
      ...keepApart('engines', ['openai-protocol', 'text']),
    ],
  },
  widget: {
    knows: ['contract'],
    floors: [['loader', 'demo', 'frame'], ['frame/ui'], ['frame/engine'], ['frame/texts'], ['.']],
    // Of the screens: what shows a session shows its note, and both know what an open session is.
    above: orderFolders('frame/ui', [
      ['session'],
      ['screens'],
      ['work', 'note', 'brief', 'consent', 'people', 'off-record'],
      ['typing', 'assessments', 'checks'],
      ['plans'],
      ['open-session'],
      ['danger'],
      ['chart', 'templates', 'live', 'other-side'],
      ['parts', 'styles'],
    ]),
    // What is not on the first screen is loaded as a whole, by whoever needs some of it first: it lies above all of them.
    loadedLater: 'frame/ui/loaded-later.js',
    leadsBack: 'frame/ui/',
  },
  'client-pages': { knows: ['contract'], floors: [['.'], ['texts']] },
  console: { knows: ['contract'], floors: [['.']] },
  'docs-site': { knows: [], floors: [['render', 'browser'], ['.']] },
  sdk: { knows: [], floors: [['.']] },
}

/** Pairs of folders of which the first lies above the second, from their floors, the top one first. */
function orderFolders(around, floors) {
  return floors.flatMap((upper, at) =>
    upper.flatMap((up) =>
      floors
        .slice(at + 1)
        .flat()
        .map((down) => [`${around}/${up}`, `${around}/${down}`]),
    ),
  )
}

/** Pairs of folders that do not know each other, either way. */
function keepApart(around, folders) {
  return folders.flatMap((one) =>
    folders.filter((other) => other !== one).map((other) => [`${around}/${one}`, `${around}/${other}`]),
  )
}

/** What a file may not do, whatever floor it is on. */
const rules = [
  {
    isFor: (file) => !file.endsWith('.sql.ts') && !file.startsWith('kernel/db/'),
    pattern: /\b(select|insert into|update|delete from)\s+[^'"`]*\bcasenote\./i,
    says: 'SQL lives in *.sql.ts',
  },
  {
    isFor: (file) => !file.startsWith('jobs/'),
    pattern: /\benqueueJob\((?!tx, '(send_mail|send_code|export_client)',)/,
    says: 'a step of the pipeline is asked for by what happened: enqueueStep (jobs/next-step.ts)',
  },
]

/** Through these the floors above and the tests use the writer; what lies behind them can be rearranged without touching either. */
const writer = 'engines/writer/'
const writerDoors = new Set([
  'writer-engine.js',
  'extract/extract-writer.js',
  'prose/prose-writer.js',
  'prose/prompt-version.js',
  'spread-writing.js',
  'to-note-sections.js',
  'made-by.js',
  'place-jotted.js',
  'templates/apply-preferences.js',
  'templates/built-in-templates.js',
  'templates/list-unmet.js',
  'templates/note-template.js',
  'templates/read-template-file.js',
])

/** Tests that look behind the doors, and why. */
const behindWriterDoors = {
  'engines/text/doubled-text.test.ts':
    'measures the processor time of single works, which it has to do itself',
}

/** Tests that look into another package: what they may import there, and why it cannot be asked from there. */
const besideTests = {
  'server/test/client-pages/follow-course.test.ts': {
    into: 'client-pages/src/follow-course.js',
    why: 'the page and the service choose the same questions',
  },
  'server/test/docs/guides.test.ts': { into: 'docs-site/src/', why: 'runs the guides against the program' },
  'server/test/docs/reference.test.ts': {
    into: 'docs-site/src/',
    why: 'runs its snippets against the service',
  },
  'server/test/docs/run-snippets.ts': { into: 'docs-site/src/', why: 'runs both' },
  'server/test/docs/site.test.ts': { into: 'docs-site/src/pages.js', why: 'asks the service for every page' },
  'server/test/texts/suggestions.test.ts': {
    into: 'widget/src/frame/texts/',
    why: 'gives what the widget suggests to the writer',
  },
  'widget/test/frame/engine/recordings/file-kinds.test.ts': {
    into: 'server/test/support/make-audio.mjs',
    why: 'reads real recordings, and the server has what makes them',
  },
}

/** What the tests of any package may import: the browser that the set-up of all tests found or installed. */
const forAllTests = 'server/test/support/open-browser.js'

/** One word, one meaning: what neither a name nor a comment may say, in any package, and where it means what it should (CONTRIBUTING.md, Style). */
const words = [
  {
    pattern: /\bholds?(?!Id\b)[A-Z]\w*/,
    says: 'a hold is a legal hold; rows and recordings are locked, endpoints paused, and what has something has it',
    isFor: () => true,
  },
  {
    // A placeholder is no hold, and a section of a template `holds` a kind of talk, which `findHolder` finds.
    pattern: /\b(?!\w*[pP]laceholder|findHolder\b)(?:\w*[hH]old(?:ing|er)\w*|on_?[hH]old\w*)/,
    says: 'a hold is a legal hold; who has a lock owns it, what says something says it, what is paused is paused',
    isFor: () => true,
  },
  {
    // Between strokes it is a word that somebody may say, in an expression of the reader or of the ledger.
    pattern: /(?<!\|)\b(?:\w*Held\w*|held(?:[A-Z]\w*)?)\b(?!\|)/,
    says: 'held is what is under a legal hold; rows are locked, endpoints paused, notes compared with a talk, places taken',
    isFor: (file) => !Object.keys(saysHeld).some((path) => file.startsWith(path)),
  },
]

/** Files and folders that say `held`, and of what. */
const saysHeld = {
  'contract/src/client-briefs.ts': 'danger that a signed note holds, on the wire',
  'contract/src/danger-lists.ts': 'the same',
  'sdk/src/generated/': 'the same',
  'server/src/features/danger/': 'the same',
  'server/src/features/erasure/': 'what is under a legal hold',
  'server/src/main/audit-report/operation-words.ts': 'the same',
  'server/src/main/backup/restore-backup.ts': 'the same',
  'server/src/main/commands/erase.ts': 'the same',
  'server/src/main/erasure/': 'the same',
  'server/src/features/webhooks/dispatch/dispatch.sql.ts': 'the state of a paused endpoint in the metrics',
  'server/src/engines/text/verb-forms.ts': 'a form of the verb',
  'widget/src/frame/engine/recordings/lock-recording.ts': "the browser's name for its locks",
}

/** Of packages only one with modules of the newer kind gives its names to an `import()` once it is bundled. */
const lazyPackages = new Set(['@simplewebauthn/server'])

const problems = []
for (const [name, { knows, floors, above = [], loadedLater }] of Object.entries(packages)) {
  const source = join(root, 'packages', name, 'src')
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((one) => /\.tsx?$/.test(one))) {
    const text = readFileSync(join(source, file), 'utf8')
    if (name === 'server') checkRules(file, text)
    if (name === 'server') checkLazyPackages(file, text)
    checkWords(`${name}/src/${file}`, text)
    for (const target of listImports(text)) {
      const problem = target.startsWith('.')
        ? findInside(
            { floors, above, loadedLater },
            file,
            relative(source, resolve(source, dirname(file), target)),
          )
        : findForeign(knows, target)
      if (problem !== null) problems.push(`${name}: ${file} imports ${target}: ${problem}`)
    }
  }
}
checkWriterDoors()
for (const [name, { leadsBack }] of Object.entries(packages))
  for (const folder of ['src', 'dev']) checkCircles(`${name}/${folder}`, leadsBack)
for (const [name, one] of Object.entries(packages)) checkTests(name, one)
for (const file of [...Object.keys(besideTests), ...Object.keys(saysHeld)])
  if (!existsSync(join(root, 'packages', file))) problems.push(`${file} is not there`)

function listImports(text) {
  return [...text.matchAll(/(?:from|import\(|import)\s*'((?:\.|@casenote\/)[^']+)'/g)].map(
    ([, target]) => target,
  )
}

/** Tests run the sources, where any package does: what fails in the bundle alone is told here. */
function checkLazyPackages(file, text) {
  for (const [, target] of text.matchAll(/import\('([^.'][^']*)'\)/g))
    if (!target.startsWith('node:') && !lazyPackages.has(target))
      problems.push(
        `server: ${file} loads ${target} by itself: have a module of ours import it, and load that`,
      )
}

/** Files that import each other, for types too, are one file that looks like several: what both need lies below them. */
function checkCircles(name, leadsBack) {
  const source = join(root, 'packages', name)
  if (!existsSync(source)) return
  const below = new Map()
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file)) continue
    const text = readFileSync(join(source, file), 'utf8')
    const mayLeadBack = leadsBack !== undefined && file.startsWith(leadsBack)
    const targets = listImports(mayLeadBack ? text.replaceAll('import(', '') : text).map((target) =>
      relative(source, resolve(source, dirname(file), target.replace(/\.js$/, ''))),
    )
    below.set(file.replace(/\.tsx?$/, ''), targets)
  }
  const looked = new Set()
  const look = (file, path) => {
    const at = path.indexOf(file)
    if (at >= 0) problems.push(`${name}: a circle: ${[...path.slice(at), file].join(' -> ')}`)
    if (at >= 0 || looked.has(file)) return
    looked.add(file)
    for (const target of below.get(file) ?? []) look(target, [...path, file])
  }
  for (const file of below.keys()) look(file, [])
}

/** Of its own package a test may ask anything. */
function checkTests(name, { knows, testsKnow = [] }) {
  const home = join(root, 'packages', name)
  const tests = join(home, 'test')
  if (!existsSync(tests)) return
  for (const one of readdirSync(tests, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(one)) continue
    const file = `${name}/test/${one}`
    const beside = besideTests[file]
    let isBeside = false
    for (const target of listImports(readFileSync(join(tests, one), 'utf8'))) {
      const path = relative(dirname(home), resolve(tests, dirname(one), target))
      if (path === forAllTests) continue
      if (beside !== undefined && path.startsWith(beside.into)) {
        isBeside = true
        continue
      }
      const isOwn = target.startsWith('.') && path.startsWith(`${name}/`)
      const problem = target.startsWith('.')
        ? 'it lies outside of its package'
        : findForeign([name, ...knows, ...testsKnow], target)
      if (!isOwn && problem !== null) problems.push(`${file} imports ${target}: ${problem}`)
    }
    if (beside !== undefined && !isBeside) problems.push(`${file} no longer imports ${beside.into}`)
  }
}

/** The other engines work with the writer side by side, in threads of theirs. */
function checkWriterDoors() {
  const [source, tests] = ['src', 'test'].map((folder) => join(root, 'packages/server', folder))
  const listBehind = (folder, file) =>
    listImports(readFileSync(join(folder, file), 'utf8'))
      .map((target) => relative(source, resolve(folder, dirname(file), target)))
      .filter((target) => target.startsWith(writer) && !writerDoors.has(target.slice(writer.length)))
  for (const [folder, isFree] of [
    [source, (file) => file.startsWith('engines/')],
    [tests, (file) => Object.hasOwn(behindWriterDoors, file)],
  ])
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      if (/\.tsx?$/.test(file) && !isFree(file))
        for (const target of listBehind(folder, file))
          problems.push(`server: ${file} imports ${target}: the writer is used through its doors`)
  for (const file of Object.keys(behindWriterDoors))
    if (listBehind(tests, file).length === 0)
      problems.push(`server: ${file} no longer looks behind the doors of the writer`)
}

function checkWords(file, text) {
  for (const { pattern, says, isFor } of words) {
    const [found] = (isFor(file) && pattern.exec(text)) || []
    if (found !== undefined) problems.push(`${file} says ${found}: ${says}`)
  }
}

function checkRules(file, text) {
  for (const { isFor, pattern, says } of rules)
    if (isFor(file) && pattern.test(text)) problems.push(`${file}: ${says}`)
}

/** Folders of one floor of which one is above the other, and the floors themselves. */
function findInside({ floors, above, loadedLater }, file, target) {
  if (target === loadedLater) return null
  const upper = above.find(([up, down]) => file.startsWith(`${down}/`) && target.startsWith(`${up}/`))
  return upper === undefined ? findProblem(floors, file, target) : `${upper[1]} must not know ${upper[0]}`
}

function findForeign(knows, target) {
  const [, name, ...inside] = target.split('/')
  if (!knows.includes(name)) return `it must not know ${name}`
  return inside.length === 0 ? null : 'a package is used through its index.ts'
}

/** The nearest folder around a file that has a floor; -1 where none has. */
function findFloor(floors, file) {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const floor = floors.findIndex((names) => names.includes(folder))
    if (floor >= 0 || folder === '.') return { floor, folder }
  }
}

function findProblem(floors, file, target) {
  if (target.startsWith('..')) return 'it lies outside of its package'
  const [from, to] = [findFloor(floors, file), findFloor(floors, target)]
  if (from.floor < 0 || to.floor < 0) return 'the folder has no floor in bin/check-directions.js'
  if (to.floor < from.floor) return `${from.folder} must not know ${to.folder}`
  if (to.floor === from.floor && to.folder !== from.folder)
    return `${from.folder} and ${to.folder} stand on one floor`
  const [, ofFeature] = file.split('/')
  const [, feature, ...inside] = target.split('/')
  const isSameFeature = from.folder === 'features' && ofFeature === feature
  if (to.folder === 'features' && !isSameFeature && inside.join('/') !== 'index.js')
    return 'a feature is used through its index.ts'
  return null
}

for (const problem of problems) process.stderr.write(`${problem}\n`)
process.exitCode = problems.length === 0 ? 0 : 1
