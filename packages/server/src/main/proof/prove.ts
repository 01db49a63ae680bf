import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeNoteChecker } from '../../engines/checker/note-checker.js'
import { openReader } from '../../engines/reader/open-reader.js'
import { readConfig, type Config } from '../../kernel/config.js'
import type { ProveOptions } from '../commands/prove.js'
import { openWriter } from '../open-writer.js'
import { waitForSignal } from '../terminal/wait-for-signal.js'
import { formatProof, toPrintPage, type Proof } from './format-proof.js'
import { judgeProof } from './judge-proof.js'
import { readProofSessions } from './proof-session.js'
import { proveSession, type ProofResult } from './run-proof.js'

export async function prove({ out }: ProveOptions): Promise<void> {
  const config = readConfig(process.env)
  const proof = await runProof(config, (line) => process.stderr.write(`${line}\n`))
  const page = formatProof(proof)
  const name = out ?? join(config.dataDir, 'proofs', proof.at.toISOString().replaceAll(/[:.]/g, '-'))
  await mkdir(dirname(name), { recursive: true })
  await writeFile(`${name}.md`, page)
  await writeFile(`${name}.html`, toPrintPage(page))
  process.stdout.write(`${page}\nKept as ${name}.md, and for printing as ${name}.html\n`)
  const isPassed = judgeProof(proof.results, proof.versions.engine === 'extract').isPassed
  process.exitCode = isPassed ? 0 : 1
}

/** One session after the other: seconds are to be those of a machine that writes one note. */
async function runProof(
  config: Pick<Config, 'writer' | 'dataDir'>,
  tell: (line: string) => void,
): Promise<Proof> {
  const signal = waitForSignal()
  const checker = makeNoteChecker()
  const reader = openReader()
  const writer = await openWriter(config, checker)
  const results: ProofResult[] = []
  const sessions = readProofSessions()
  try {
    for (const [index, session] of sessions.entries()) {
      tell(`${index + 1} of ${sessions.length}: ${session.name} …`)
      results.push(await proveSession({ reader, writer, checker }, session, signal))
    }
    const memoryMb = process.memoryUsage().rss / 1e6
    return { at: new Date(), versions: writer.versions, reader: reader.version, memoryMb, results }
  } finally {
    await Promise.all([writer.close(), reader.close(), checker.close()])
  }
}
