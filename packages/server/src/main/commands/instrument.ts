import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import {
  addInstrument,
  checkInstrumentFile,
  InstrumentProblem,
  readInstruments,
  removeInstrument,
  type Instrument,
} from '../../features/assessments/index.js'
import type { Database } from '../../kernel/db/database.js'
import type { AssessmentId } from '../../kernel/ids.js'
import { asOperator } from './operator-session.js'
import { formatTable, print } from './print.js'

interface Json {
  json?: true
}

/** Assessments and the words that the operator gives them (docs/assessments.md). */
export function addInstrumentCommands(program: Command): void {
  const instrument = program
    .command('instrument')
    .description('assessments, and text packs that complete them')
  instrument
    .command('list')
    .description('what there is, what is offered, and what does not fit')
    .option('--json', 'print JSON')
    .action(({ json }: Json) => listInstruments(json === true))
  instrument
    .command('check')
    .description('whether files fit, without adding them')
    .argument('<files...>')
    .action((files: string[]) => eachFile(files, 'fits', checkInstrumentFile))
  instrument
    .command('add')
    .description('add instruments or text packs; they are offered within seconds')
    .argument('<files...>')
    .action((files: string[]) => eachFile(files, 'added', addInstrument))
  instrument
    .command('remove')
    .description('no longer offer what was added; what clients were given can still be answered')
    .argument('<assessmentId>')
    .action(async (assessmentId: AssessmentId) => {
      const count = await asOperator(({ owner }) => removeInstrument(owner, assessmentId))
      if (count === 0) throw new Error(`nothing was added of ${assessmentId}`)
      print(false, null, [`${assessmentId} is no longer offered with what was added`])
    })
}

async function listInstruments(isJson: boolean): Promise<void> {
  const { catalogue, refused } = await asOperator(({ owner }) => readInstruments(owner))
  const items = catalogue.list().map(({ id, version, languages, rights }) => ({
    id,
    version,
    isOffered: catalogue.isOffered(id),
    languages,
    permission: rights.permission ?? rights.terms,
  }))
  const rows = items.map(({ id, version, isOffered, languages, permission }) => [
    id,
    version,
    isOffered ? 'offered' : 'not offered',
    languages.join(' ') || '-',
    permission,
  ])
  print(isJson, { instruments: items, refused }, [
    ...formatTable(['instrument', 'version', 'state', 'languages', 'permission'], rows),
    ...refused.flatMap(({ assessmentId, version, problems }) =>
      problems.map((problem) => `${assessmentId} of ${version} is left out: ${problem}`),
    ),
  ])
}

/** All files are looked at, so that one run shows every problem. */
async function eachFile(
  files: readonly string[],
  done: string,
  work: (owner: Database, text: string) => Promise<Instrument>,
): Promise<void> {
  const problems = await asOperator(async ({ owner }) => {
    const found: string[] = []
    for (const file of files) {
      try {
        const { id, version, language } = await work(owner, await readFile(file, 'utf8'))
        print(false, null, [
          `${file}: ${done}, ${id} of ${version}${language === null ? '' : ` (${language})`}`,
        ])
      } catch (error) {
        if (!(error instanceof InstrumentProblem)) throw error
        found.push(...error.problems.map((problem) => `${file}: ${problem}`))
      }
    }
    return found
  })
  if (problems.length > 0) throw new Error(problems.join('\n'))
}
