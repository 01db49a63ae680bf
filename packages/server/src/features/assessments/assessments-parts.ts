import type { ScoreParts } from './read-scores.js'

export interface AssessmentsParts extends ScoreParts {
  publicUrl: string
  /** Whether links are sent to clients who have an e-mail address. */
  sendsMail: boolean
}
