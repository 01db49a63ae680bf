import type { ModelChoice } from '../../engines/models/model-choice.js'
import { toBaseUrl } from '../../engines/openai-protocol/openai-client.js'
import { hashToId } from '../../kernel/ids.js'

/** What makes a model the same one again: a file is its hash, a server's model its name at that address. */
export interface ModelIdentity {
  engine: 'extract' | 'local' | 'openai'
  /** As the operator calls it. */
  model: string
  url: string | null
  sha256: string | null
}

export function identifyModel(choice: ModelChoice | null): ModelIdentity {
  if (choice === null) return { engine: 'extract', model: 'none', url: null, sha256: null }
  if (choice.engine === 'openai') {
    return { engine: 'openai', model: choice.model, url: toBaseUrl(choice.url), sha256: null }
  }
  const { name, sha256 } = choice.settings
  return { engine: 'local', model: name, url: null, sha256 }
}

export const isSameModel = (one: ModelIdentity, other: ModelIdentity): boolean => toKey(one) === toKey(other)

/** For the audit log, which holds ids: whoever has the hash, or address and name, finds the same. */
export const modelIdOf = (identity: ModelIdentity): string => hashToId(toKey(identity))

/** A file that was renamed is still the same model. */
const toKey = ({ engine, model, url, sha256 }: ModelIdentity): string =>
  [engine, ...(sha256 === null ? [url ?? '', model] : [sha256])].join('\n')
