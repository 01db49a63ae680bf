/** Apart from the schemas: the frame loads these, and none of TypeBox. */

/**
 * How far the lines of a recording are: `waiting` for a place, `live`, `behind` by more than a chunk, `unavailable` where it can only be
 * heard when it is whole, `ended` with the recording.
 */
export type LiveState = 'waiting' | 'live' | 'behind' | 'unavailable' | 'ended'

export interface LiveLine {
  /** Seconds from the start of the recording. */
  startTime: number
  text: string
}

/** What was heard of a recording that goes on. */
export interface LiveLines {
  state: LiveState
  /** Settled, since the chunk that was asked for. */
  lines: LiveLine[]
  /** What may still change: all of it, each time. */
  draft: LiveLine[]
  /** To be asked for next. */
  after: number
  hasMore: boolean
}
