import type { EngineFaultKind } from '../engine-fault.js'
import type { SpokenItem } from './talk/read-talk.js'
import type { Reading } from './reading.js'

export interface ReadRequest {
  items: readonly SpokenItem[]
}

export type ReadReply =
  { reading: Omit<Reading, 'version'> } | { fault: { kind: EngineFaultKind; message: string } }
