import { openReader } from '../../engines/reader/open-reader.js'
import { promptVersion } from '../../engines/writer/prose/prompt-version.js'
import { findProof, type KeptProof } from '../proof/kept-proofs.js'
import type { ModelIdentity } from './identify-model.js'

/** Where a model stands with `casenote prove`. */
export type Standing =
  | { kind: 'proved'; proof: KeptProof }
  | { kind: 'belowGate'; proof: KeptProof }
  /** Proved with other prompts or another reader than those of this version. */
  | { kind: 'outdated'; proof: KeptProof }
  | { kind: 'unproved' }

export async function findStanding(dataDir: string, identity: ModelIdentity): Promise<Standing> {
  const proof = await findProof(dataDir, identity)
  return judgeStanding(proof, { prompt: promptVersion, reader: await readReaderVersion() })
}

export function judgeStanding(
  proof: KeptProof | null,
  current: Pick<KeptProof, 'prompt' | 'reader'>,
): Standing {
  if (proof === null) return { kind: 'unproved' }
  if (!proof.isPassed) return { kind: 'belowGate', proof }
  const isCurrent = proof.prompt === current.prompt && proof.reader === current.reader
  return { kind: isCurrent ? 'proved' : 'outdated', proof }
}

/** Its process starts with the first transcript, and there is none. */
async function readReaderVersion(): Promise<string> {
  const reader = openReader()
  await reader.close()
  return reader.version
}

/** What the operator has to know; nothing to say of a model that passed. */
export function describeStanding(model: string, standing: Standing): string[] {
  const command = `casenote prove --model ${model}`
  if (standing.kind === 'proved') return []
  if (standing.kind === 'unproved') {
    return [
      `Warning: there is no proof of ${model} here: nobody knows what its notes leave out.`,
      `Prove it before clinicians rely on it: ${command}`,
    ]
  }
  const { at, problems } = standing.proof
  const day = at.slice(0, 10)
  return standing.kind === 'belowGate'
    ? [
        `Warning: ${model} did not pass its proof of ${day}: ${problems.join(' ')}`,
        `Clinicians should not rely on its notes. To prove it again: ${command}`,
      ]
    : [
        `Warning: ${model} passed on ${day}, with other prompts or another reader than today's.`,
        `Prove it again: ${command}`,
      ]
}
