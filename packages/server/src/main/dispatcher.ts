import { makeClientSecrets } from '../features/partners/index.js'
import { observeQueue, WebhookDispatcher } from '../features/webhooks/index.js'
import { makeGuardedAgent } from '../kernel/guarded-fetch/guarded-agent.js'
import type { ServiceParts } from './parts.js'

/** Receivers close idle connections; a request on one that is just closing would fail. */
const keepAliveMs = 4_000

/** Ours to decide: the head of an answer within 15 s, counted by the sender itself. */
const never = 0

export function startDispatcher(parts: ServiceParts, listenUrl: string): WebhookDispatcher {
  const pool = { keepAliveTimeout: keepAliveMs, headersTimeout: never, bodyTimeout: never, pipelining: 1 }
  const dispatcher = new WebhookDispatcher({
    ...parts,
    listenUrl,
    findSecrets: makeClientSecrets(parts),
    agents: {
      sandbox: makeGuardedAgent({ environment: 'sandbox' }, pool),
      production: makeGuardedAgent({ environment: 'production' }, pool),
    },
    isSandboxHome: () => parts.watch.isSandboxHome(),
    random: Math.random,
  })
  observeQueue(parts, () => dispatcher.inHand())
  dispatcher.start()
  return dispatcher
}
