import { BlobStoreFault } from './blob-store.js'

export interface ActLimits {
  atOnceMost: number
  withinMs: number
}

/** `withinMs`: less than the usual, for those who are to be told sooner; they are also the next in line. */
export type BoundedAct = <T>(act: () => Promise<T>, withinMs?: number) => Promise<T>

/**
 * A file system that hangs (a server of a hard mount that is gone, a stuck disk) answers no call, and each call holds one of the
 * four threads in which Node also compresses, hashes and reads everything else. So few are made at once, and none is waited
 * for without end. Where as many as there may be hang, all that wait, and all that come, are refused. To wait for one's
 * turn is no fault: a busy disk is not away. Once `stopping` aborts nobody waits at all.
 */
export function boundActs({ atOnceMost, withinMs: usualMs }: ActLimits, stopping?: AbortSignal): BoundedAct {
  let running = 0
  let givenUp = 0
  const waiting: { start: () => void; refuse: (error: Error) => void }[] = []
  /** Of those that run and those that wait. */
  const refusals = new Set<(error: unknown) => void>()
  stopping?.addEventListener('abort', () => {
    waiting.length = 0
    for (const refuse of refusals) refuse(stopping.reason)
  })
  const startNext = (): void => {
    if (running < atOnceMost) waiting.shift()?.start()
  }
  const giveUp = (): void => {
    givenUp += 1
    if (givenUp >= atOnceMost) for (const { refuse } of waiting.splice(0)) refuse(noAnswer())
  }
  return async <T>(act: () => Promise<T>, withinMs = usualMs) => {
    stopping?.throwIfAborted()
    if (givenUp >= atOnceMost) throw noAnswer()
    let refuse: (error: unknown) => void = () => {}
    const answer = new Promise<T>((resolve, reject) => {
      refuse = reject
      refusals.add(reject)
      const start = (): void => {
        let isGivenUp = false
        const timer = setTimeout(() => {
          isGivenUp = true
          reject(noAnswer())
          giveUp()
        }, withinMs)
        running += 1
        void act()
          .then(resolve, reject)
          .finally(() => {
            clearTimeout(timer)
            running -= 1
            if (isGivenUp) givenUp -= 1
            startNext()
          })
      }
      const one = { start, refuse: reject }
      if (withinMs < usualMs) waiting.unshift(one)
      else waiting.push(one)
      startNext()
    })
    try {
      return await answer
    } finally {
      refusals.delete(refuse)
    }
  }
}

const noAnswer = () => new BlobStoreFault('the blob folder does not answer')
