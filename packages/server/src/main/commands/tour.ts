import type { Command } from 'commander'
import { readConfig } from '../../kernel/config.js'
import { ownFile } from '../../kernel/own-files.js'
import { credentialsFile } from '../sandbox.js'

const sampleRecording = ownFile('samples/medication-management.ogg')

/** For a newcomer: speaks the Partner API and nothing else of the installation. */
export function addTourCommand(program: Command): void {
  program
    .command('tour')
    .description('show the whole way from a recording to a finalized note, beside a running sandbox')
    .option('--recording <file>', 'another recording than the sample')
    .action(async ({ recording }: { recording?: string }) => {
      // Only this command needs an HTTP client and server.
      const { runTour } = await import('../tour/run-tour.js')
      await runTour({
        credentialsFile: credentialsFile(readConfig(process.env).dataDir),
        recordingFile: recording ?? sampleRecording,
      })
    })
}
