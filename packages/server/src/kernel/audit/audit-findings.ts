type FindingKind =
  | 'entry_changed'
  | 'entry_missing'
  | 'entry_extra'
  | 'chain_cut'
  | 'chain_missing'
  | 'head_wrong'
  | 'head_missing'
  | 'head_extra'
  | 'checkpoint_changed'
  | 'checkpoint_missing'
  | 'checkpoint_extra'
  | 'checkpoint_disagrees'
  | 'anchor_disagrees'
  | 'log_set_back'
  | 'log_missing'
  | 'key_unknown'

export interface Finding {
  kind: FindingKind
  writerId?: string
  seq?: number
  checkpoint?: number
  /** A sentence for the operator. */
  message: string
}

/** Who reads more than a thousand sentences per tenant? A log that is wrong throughout must not fill the memory. */
const findingsMax = 1_000

export class Findings {
  readonly listed: Finding[] = []
  count = 0

  add(finding: Finding): void {
    this.count += 1
    if (this.listed.length < findingsMax) this.listed.push(finding)
  }
}
