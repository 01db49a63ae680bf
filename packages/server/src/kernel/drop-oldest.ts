/** Maps keep the order of insertion: what is set anew at every use is dropped when it was not used for longest. */
export function dropOldest(entries: Map<unknown, unknown>): void {
  for (const key of entries.keys()) {
    entries.delete(key)
    return
  }
}
