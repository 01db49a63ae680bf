import { readFileSync } from 'node:fs'
import { Type, type Static } from 'typebox'
import { Check } from 'typebox/value'
import { ownFile } from '../../../kernel/own-files.js'

const CatalogueModel = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z0-9][a-z0-9.-]{0,99}$' }),
    title: Type.String(),
    licence: Type.Union([Type.Literal('Apache-2.0'), Type.Literal('MIT')]),
    parametersBillion: Type.Number({ minimum: 4, maximum: 31 }),
    /** What is at work for one token of a mixture of experts; null for any other model. */
    activeBillion: Type.Union([Type.Number(), Type.Null()]),
    sizeGb: Type.Number(),
    /** File and context together. */
    memoryGb: Type.Number(),
    contextTokens: Type.Integer(),
    /** On whatever hub the operator names. */
    repository: Type.String({ pattern: '^[\\w.-]+/[\\w.-]+$' }),
    file: Type.String({ pattern: '^[\\w.-]+\\.gguf$' }),
    /** False: nobody here has fetched it. Then it has no hash. */
    confirmed: Type.Boolean(),
    sha256: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
    seen: Type.Array(Type.String()),
    note: Type.Union([Type.String(), Type.Null()]),
  },
  { additionalProperties: false },
)
export type CatalogueModel = Static<typeof CatalogueModel>

const Catalogue = Type.Object({ about: Type.String(), models: Type.Array(CatalogueModel) })

const file = ownFile('models/language-models.json')

export function readCatalogue(): readonly CatalogueModel[] {
  const catalogue: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (!Check(Catalogue, catalogue)) throw new Error('the catalogue of models is damaged')
  if (catalogue.models.some(({ confirmed, sha256 }) => confirmed !== (sha256 !== undefined))) {
    throw new Error('a model of the catalogue has a hash exactly when it is confirmed')
  }
  return catalogue.models
}
