/** A Map or a WeakMap whose values are never undefined. */
interface Kept<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}

// Node has had `getOrInsertComputed` since 26, and this package runs on 20.
export function getOrMake<Key, Value extends {}>(kept: Kept<Key, Value>, key: Key, make: (key: Key) => Value): Value {
  const known = kept.get(key)
  if (known !== undefined) return known
  const made = make(key)
  kept.set(key, made)
  return made
}
