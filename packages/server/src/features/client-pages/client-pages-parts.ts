import type { ReadAudit } from '../../kernel/audit/index.js'
import type { SealedParts } from '../../kernel/change-context.js'
import type { Instruments } from '../assessments/index.js'

export interface ClientPagesParts extends SealedParts {
  reads: ReadAudit
  instruments: Instruments
}
