import { fileThreads, type FileThreads, type Gate } from './file-threads.js'

export interface ActLimits {
  atOnceMost: number
  withinMs: number
}

/**
 * `withinMs`: less than the usual, for those who are to be told sooner; they are also the next in line. What is done hears by its signal that
 * nobody waits for it any more: what it was about to make known then may be old.
 */
export type BoundedAct = <T>(act: (givenUp: AbortSignal) => Promise<T>, withinMs?: number) => Promise<T>

/** Of a folder that is no blob store. Worth another try later. */
export class FolderFault extends Error {
  readonly code = 'folder_fault'
  /** For the log. */
  readonly told: string

  constructor(message: string) {
    super(message)
    this.name = 'FolderFault'
    this.told = message
  }
}

interface Surroundings {
  noAnswer: () => Error
  stopping?: AbortSignal
  threads?: FileThreads
}

/**
 * Calls to a folder that may hang. Few are made at once, and none is waited for without end. Where as many as there may be hang, all that
 * wait, and all that come, are refused. To wait for one's turn is no fault: a busy disk is not away. Once `stopping` aborts nobody waits
 * at all.
 */
export function boundActs(
  { atOnceMost, withinMs: usualMs }: ActLimits,
  { noAnswer, stopping, threads = fileThreads }: Surroundings,
): BoundedAct {
  const gate: Gate = { atOnceMost, running: 0, hanging: 0 }
  const stops = stopping === undefined ? [threads.stopping] : [stopping, threads.stopping]
  /** Of those that run and those that wait. */
  const refusals = new Set<(error: unknown) => void>()
  for (const stop of stops)
    stop.addEventListener('abort', () => {
      threads.forget(gate)
      for (const refuse of refusals) refuse(stop.reason)
    })
  return async <T>(act: (givenUp: AbortSignal) => Promise<T>, withinMs = usualMs) => {
    for (const stop of stops) stop.throwIfAborted()
    if (threads.isLost(gate)) throw noAnswer()
    const givenUp = new AbortController()
    let refuse: (error: unknown) => void = () => {}
    const answer = new Promise<T>((resolve, reject) => {
      refuse = (error) => {
        givenUp.abort(error)
        reject(error)
      }
      refusals.add(refuse)
      const start = (): void => {
        let isLate = false
        const timer = setTimeout(() => {
          isLate = true
          refuse(noAnswer())
          threads.giveUp(gate)
        }, withinMs)
        void act(givenUp.signal)
          .then(resolve, reject)
          .finally(() => {
            clearTimeout(timer)
            threads.leave(gate, { wasGivenUp: isLate })
          })
      }
      threads.enter({ gate, start, refuse: () => reject(noAnswer()) }, { isUrgent: withinMs < usualMs })
    })
    try {
      return await answer
    } finally {
      refusals.delete(refuse)
    }
  }
}
