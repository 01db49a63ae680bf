import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import { Check } from 'typebox/value'
import { isErrno } from '../../kernel/errno.js'
import { hashToId } from '../../kernel/ids.js'
import { replacePrivateFile } from '../../kernel/private-file.js'
import { isSameModel, type ModelIdentity } from '../models/identify-model.js'
import type { Proof } from './format-proof.js'
import { judgeProof, sum } from './judge-proof.js'

/** What `casenote model use` asks for: whose verdict, made with what, and the figures. Not a word of a note. */
const KeptProof = Type.Object({
  at: Type.String(),
  engine: Type.Union([Type.Literal('extract'), Type.Literal('local'), Type.Literal('openai')]),
  model: Type.String(),
  url: Type.Union([Type.String(), Type.Null()]),
  sha256: Type.Union([Type.String(), Type.Null()]),
  prompt: Type.String(),
  reader: Type.String(),
  isPassed: Type.Boolean(),
  problems: Type.Array(Type.String()),
  figures: Type.Object({
    sessions: Type.Integer(),
    danger: Type.Integer(),
    dangerFound: Type.Integer(),
    dangerTold: Type.Integer(),
    facts: Type.Integer(),
    factsWritten: Type.Integer(),
    forbidden: Type.Integer(),
    sentences: Type.Integer(),
    /** Proofs of earlier versions have neither of the three, but `refused`: marked sentences of the note. */
    draftSentences: Type.Optional(Type.Integer()),
    refusedBeforeRepair: Type.Optional(Type.Integer()),
    refusedAfterRepair: Type.Optional(Type.Integer()),
    verified: Type.Integer(),
    seconds: Type.Number(),
    memoryMb: Type.Number(),
  }),
})
export type KeptProof = Static<typeof KeptProof>

/** The pages stay; of verdicts nobody looks up more than the newest of a model. */
const keptMax = 200
const KeptProofs = Type.Object({
  version: Type.Literal(1),
  proofs: Type.Array(KeptProof, { maxItems: keptMax }),
})

export const proofsFolder = (dataDir: string): string => join(dataDir, 'proofs')
const verdictsFile = (dataDir: string): string => join(proofsFolder(dataDir), 'verdicts.json')

export function toKeptProof(proof: Proof, identity: ModelIdentity): KeptProof {
  const { at, versions, reader, memory, results } = proof
  const total = (key: Parameters<typeof sum>[1]): number => sum(results, key)
  return {
    at: at.toISOString(),
    ...identity,
    prompt: versions.prompt,
    reader,
    ...judgeProof(results, versions.engine === 'extract'),
    figures: {
      sessions: results.length,
      danger: total('danger'),
      dangerFound: total('dangerFound'),
      dangerTold: total('dangerTold'),
      facts: total('facts'),
      factsWritten: total('factsWritten'),
      forbidden: total('forbidden'),
      sentences: total('sentences'),
      draftSentences: total('draftSentences'),
      refusedBeforeRepair: total('refusedBeforeRepair'),
      refusedAfterRepair: total('refusedAfterRepair'),
      verified: total('verified'),
      seconds: Math.round(total('seconds') * 10) / 10,
      memoryMb: Math.round(memory.mb),
    },
  }
}

export async function keepProof(dataDir: string, proof: KeptProof): Promise<void> {
  const proofs = [...(await readProofs(dataDir)), proof].slice(-keptMax)
  await mkdir(proofsFolder(dataDir), { recursive: true, mode: 0o700 })
  await replacePrivateFile(verdictsFile(dataDir), `${JSON.stringify({ version: 1, proofs }, null, 2)}\n`)
}

/** The newest of this model, whatever it was made with. */
export async function findProof(dataDir: string, identity: ModelIdentity): Promise<KeptProof | null> {
  return (await readProofs(dataDir)).findLast((proof) => isSameModel(proof, identity)) ?? null
}

/** For the audit log. */
export const proofIdOf = (proof: KeptProof): string => hashToId(JSON.stringify(proof))

async function readProofs(dataDir: string): Promise<KeptProof[]> {
  try {
    const kept: unknown = JSON.parse(await readFile(verdictsFile(dataDir), 'utf8'))
    if (Check(KeptProofs, kept)) return kept.proofs
  } catch (error) {
    const isMissing = isErrno(error, 'ENOENT')
    if (!isMissing && !(error instanceof SyntaxError)) throw error
  }
  // A damaged file is as good as none: what it said can be proved again, and a model without a proof is warned of.
  return []
}
