import { isDatabaseAway } from './db/db-errors.js'

/** Of passes that a worker makes again and again, over as much as there is. */
export interface PassOptions {
  /** Of a worker that stops: looked at between two items or batches. What is left comes with the next pass. */
  signal?: AbortSignal | undefined
}

/**
 * Each by itself, for passes over what belongs to many tenants: what fails delays nothing behind it. The first failure is
 * thrown at the end, so that it is told. Where the database is away, the others are not tried; a statement that ran out of its time, or
 * waited too long for a lock, says nothing about the others.
 */
export async function tryEach<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
  { signal }: PassOptions = {},
): Promise<void> {
  let first: Error | null = null
  for (const item of items) {
    if (signal?.aborted === true) break
    try {
      await act(item)
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      first ??= error as Error
    }
  }
  if (first !== null) throw first
}
