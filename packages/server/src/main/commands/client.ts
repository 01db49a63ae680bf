import type { Command } from 'commander'
import type { ClientId } from '../../kernel/ids.js'
import { exportClient, type ExportReport } from '../client-export/export-client.js'
import { ProgressBar } from '../terminal/progress-bar.js'
import { asOperator } from './operator-session.js'
import { print } from './print.js'

export function addClientCommands(program: Command): void {
  const client = program.command('client').description('what is kept about one client')
  client
    .command('export')
    .description(
      'write all that is kept about a client into a folder, readable by whoever has it: JSON, recordings, notes as PDF, FHIR R4. ' +
        'Cut short, the same command goes on. It is recorded',
    )
    .argument('<clientId>')
    .requiredOption('--to <folder>', 'a folder that is new or empty, or one where this was cut short')
    .option('--json', 'print JSON')
    .action(async (clientId: ClientId, { to, json }: { to: string; json?: true }) => {
      const bar = new ProgressBar(process.stderr, process.env)
      let report: ExportReport
      try {
        report = await asOperator((session) =>
          exportClient(session, {
            clientId,
            folder: to,
            show: (stage, fraction) => bar.show(stage, fraction),
          }),
        )
      } finally {
        bar.end()
      }
      print(json === true, report, describe(report))
    })
}

const describe = ({ folder, files, bytes, keptFiles }: ExportReport): string[] => [
  `The export is in ${folder}: ${files} files, ${(bytes / 1_000_000).toFixed(1)} MB.`,
  ...(keptFiles === 0 ? [] : [`  ${keptFiles} recordings were there from the attempt before.`]),
  'It is NOT encrypted: whoever can read the folder can read and hear all of it. Hand it over so that only the person can',
  'open it, and delete it here afterwards. Files that end in .pad.json are what clinicians jotted down for themselves:',
  'look whether your law gives those to the client, and delete them if not.',
]
