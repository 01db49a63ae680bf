/** What was read of a thing once is not read again: one sentence is looked at by every step that a line passes. */
export function remember<Key extends object, Value>(read: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { value: Value }>()
  return (key) => {
    const before = known.get(key)
    if (before !== undefined) return before.value
    const value = read(key)
    known.set(key, { value })
    return value
  }
}
