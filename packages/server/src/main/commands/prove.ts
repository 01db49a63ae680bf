import type { Command } from 'commander'

export interface ProveOptions {
  out?: string
}

export function addProveCommand(program: Command): void {
  program
    .command('prove')
    .description(
      'let the configured writer write bundled sessions, and print and keep a report; exits 1 below the gate',
    )
    .option('--out <file>', 'where the report is kept, without an ending; <data dir>/proofs/TIME without it')
    .action(async (options: ProveOptions) => {
      const { prove } = await import('../proof/prove.js')
      await prove(options)
    })
}
