/** Whoever records or sends a recording locks it; the browser lets go of it when a tab ends, however it ends. */
const prefix = 'casenote-recording-'

/** Gives what lets go of it; null where another tab has it. */
export function lockRecording(recordingId: string): Promise<(() => void) | null> {
  return request(recordingId, { ifAvailable: true })
}

/** Waits for the tab that has it, so that a closed tab's work is taken over. Null: `signal` was first. */
export async function lockInTurn(recordingId: string, signal: AbortSignal): Promise<(() => void) | null> {
  try {
    return await request(recordingId, { signal })
  } catch {
    return null // Aborted. Where locks are denied nothing can be stored, so there is no recording to lock.
  }
}

async function request(recordingId: string, options: LockOptions): Promise<(() => void) | null> {
  // A page without a secure connection has none, and records nothing; of what is typed there each tab keeps its own.
  const locks = navigator.locks as LockManager | undefined
  if (locks === undefined) return () => {}
  return new Promise((resolve, reject) => {
    const asked = locks.request(`${prefix}${recordingId}`, options, (lock) => {
      if (lock === null) return resolve(null)
      return new Promise<void>((release) => resolve(release))
    })
    Promise.resolve(asked).catch(reject)
  })
}

/** None where embedded pages may store nothing: there are no locks either. */
export async function listLocked(): Promise<Set<string>> {
  const { held: locked = [] } = await navigator.locks.query().catch((): LockManagerSnapshot => ({}))
  return new Set(
    locked.flatMap(({ name }) => (name?.startsWith(prefix) === true ? [name.slice(prefix.length)] : [])),
  )
}
