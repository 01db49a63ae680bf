import { Counter } from 'prom-client'
import { metrics } from '../../http/metrics.js'

/** `delayed` is an attempt that is repeated; the others are ends. */
type MailOutcome = 'sent' | 'delayed' | 'failed' | 'cancelled'

const mails = new Counter({
  name: 'casenote_mails_total',
  help: 'Mails to clients by outcome',
  labelNames: ['outcome'] as const,
  registers: [metrics],
})

export const observeMail = (outcome: MailOutcome): void => mails.inc({ outcome })
