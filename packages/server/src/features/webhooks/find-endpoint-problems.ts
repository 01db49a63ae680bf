import { isWebAddress } from '@casenote/contract'
import { findTargetProblem } from '../../kernel/guarded-fetch/target-rules.js'
import type { Environment } from '../../kernel/tenant.js'

/** RFC 9110: a field name is a token. */
const headerNamePattern = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** Headers that mean something to whoever is on the way, or that we send ourselves. */
const standardHeaders = new Set([
  'accept',
  'age',
  'allow',
  'authorization',
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie',
  'date',
  'dnt',
  'etag',
  'expect',
  'expires',
  'forwarded',
  'from',
  'host',
  'keep-alive',
  'last-modified',
  'link',
  'location',
  'max-forwards',
  'origin',
  'pragma',
  'priority',
  'range',
  'referer',
  'retry-after',
  'server',
  'set-cookie',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'vary',
  'via',
  'warning',
  'www-authenticate',
  'x-real-ip',
])

const standardPrefixes = [
  'accept-',
  'access-control-',
  'content-',
  'if-',
  'proxy-',
  'sec-',
  'webhook-',
  'x-forwarded-',
]

/** What the schema cannot say of an endpoint's settings. Values that fail the schema are left to it. */
export function findEndpointProblems(
  targets: Environment,
  { url, digestHeader }: Readonly<Record<string, unknown>>,
): string[] {
  const problems: string[] = []
  const target =
    typeof url === 'string' && isWebAddress(url) ? findTargetProblem(new URL(url), targets) : null
  if (target !== null) problems.push(`url ${target}`)
  problems.push(...findDigestHeaderProblems(digestHeader))
  return problems
}

export function findDigestHeaderProblems(digestHeader: unknown): string[] {
  const problem = typeof digestHeader === 'string' ? findHeaderProblem(digestHeader) : null
  return problem === null ? [] : [`digestHeader ${problem}`]
}

function findHeaderProblem(name: string): string | null {
  if (name === '') return null // The schema has said so.
  if (!headerNamePattern.test(name)) return 'must be a valid HTTP header name'
  const folded = name.toLowerCase()
  const isStandard =
    standardHeaders.has(folded) || standardPrefixes.some((prefix) => folded.startsWith(prefix))
  return isStandard ? 'must not be a standard or webhook-* header' : null
}
