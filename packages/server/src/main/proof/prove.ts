import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeNoteChecker } from '../../engines/checker/note-checker.js'
import type { ModelChoice } from '../../engines/models/model-choice.js'
import { openReader } from '../../engines/reader/open-reader.js'
import { readConfig } from '../../kernel/config.js'
import { replacePrivateFile } from '../../kernel/private-file.js'
import { identifyModel } from '../models/identify-model.js'
import { makeWriter } from '../open-writer.js'
import { ProgressBar } from '../terminal/progress-bar.js'
import { waitForSignal } from '../terminal/wait-for-signal.js'
import { findModelToProve } from './find-model-to-prove.js'
import { formatProof, toPrintPage, type Proof } from './format-proof.js'
import { keepProof, proofsFolder, toKeptProof } from './kept-proofs.js'
import { readProofSessions } from './proof-session.js'
import { MemoryWatch } from './peak-memory.js'
import { proveSession, type ProofResult } from './run-proof.js'

export interface ProveOptions {
  model?: string
  out?: string
}

export async function prove({ model, out }: ProveOptions): Promise<void> {
  const { writer, dataDir } = readConfig(process.env)
  const choice = await findModelToProve({ writer, dataDir }, model ?? null)
  const bar = new ProgressBar(process.stderr, process.env)
  const proof = await runProof(choice, writer.apiKey, bar).finally(() => bar.end())
  const page = formatProof(proof)
  const name = out ?? join(proofsFolder(dataDir), proof.at.toISOString().replaceAll(/[:.]/g, '-'))
  await mkdir(dirname(name), { recursive: true })
  await replacePrivateFile(`${name}.md`, page)
  await replacePrivateFile(`${name}.html`, toPrintPage(page))
  const kept = toKeptProof(proof, identifyModel(choice))
  await keepProof(dataDir, kept)
  process.stdout.write(`${page}\nKept as ${name}.md, and for printing as ${name}.html\n`)
  process.exitCode = kept.isPassed ? 0 : 1
}

/** One session after the other: seconds are to be those of a machine that writes one note. */
async function runProof(choice: ModelChoice | null, apiKey: string | null, bar: ProgressBar): Promise<Proof> {
  const signal = waitForSignal()
  const checker = makeNoteChecker()
  const reader = openReader()
  const writer = makeWriter(choice, apiKey, checker)
  const results: ProofResult[] = []
  const sessions = readProofSessions()
  const memory = new MemoryWatch()
  try {
    for (const [index, session] of sessions.entries()) {
      const stage = `${index + 1} of ${sessions.length}: ${session.name}`
      const show = (fraction: number): void => {
        bar.show(stage, (index + fraction) / sessions.length)
        memory.look()
      }
      show(0)
      results.push(await proveSession({ reader, writer, checker }, session, { signal, onProgress: show }))
    }
    bar.show('done', 1)
    const { versions } = writer
    return { at: new Date(), versions, reader: reader.version, memory: memory.look(), results }
  } finally {
    await Promise.all([writer.close(), reader.close(), checker.close()])
  }
}
