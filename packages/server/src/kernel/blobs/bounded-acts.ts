import { BlobStoreFault } from './blob-store.js'

export interface ActLimits {
  atOnceMost: number
  withinMs: number
}

/** `withinMs`: less than the usual, for those who are to be told sooner. */
export type BoundedAct = <T>(act: () => Promise<T>, withinMs?: number) => Promise<T>

/**
 * A file system that hangs (a server of a hard mount that is gone, a stuck disk) answers no call, and each call holds one of the
 * four threads in which Node also compresses, hashes and reads everything else. So few are made at once, nobody waits
 * without end, and while as many as there may be hang, further ones are refused at once.
 */
export function boundActs({ atOnceMost, withinMs: usualMs }: ActLimits): BoundedAct {
  let running = 0
  let givenUp = 0
  const waiting = new Set<() => void>()
  const startNext = (): void => {
    const [next] = waiting
    if (next === undefined || running >= atOnceMost) return
    waiting.delete(next)
    next()
  }
  return <T>(act: () => Promise<T>, withinMs = usualMs) => {
    if (givenUp >= atOnceMost) return Promise.reject(noAnswer())
    return new Promise<T>((resolve, reject) => {
      let isGivenUp = false
      const timer = setTimeout(() => {
        if (!waiting.delete(start)) {
          isGivenUp = true
          givenUp += 1
        }
        reject(noAnswer())
      }, withinMs)
      const end = (): void => {
        clearTimeout(timer)
        running -= 1
        if (isGivenUp) givenUp -= 1
        startNext()
      }
      const start = (): void => {
        running += 1
        void act().then(resolve, reject).finally(end)
      }
      waiting.add(start)
      startNext()
    })
  }
}

const noAnswer = () => new BlobStoreFault('the blob folder does not answer')
