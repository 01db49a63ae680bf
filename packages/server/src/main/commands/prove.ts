import type { Command } from 'commander'
import type { ProveOptions } from '../proof/prove.js'
import { parseName } from './parse-name.js'

export function addProveCommand(program: Command): void {
  program
    .command('prove')
    .description(
      'let the writer in use, or a model, write bundled sessions, and print and keep a report; exits 1 below the gate',
    )
    .option(
      '--model <name>',
      'an installed model, or one of the server in use; it does not come into use by this',
      parseName,
    )
    .option('--out <file>', 'where the report is kept, without an ending; <data dir>/proofs/TIME without it')
    .action(async (options: ProveOptions) => {
      const { prove } = await import('../proof/prove.js')
      await prove(options)
    })
}
