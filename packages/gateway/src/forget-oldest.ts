interface Remembered<Key> {
  readonly size: number
  keys(): Iterable<Key>
  delete(key: Key): boolean
}

/** Keeps a map or set that remembers what came and went from growing without bound. */
export function forgetOldest<Key>(remembered: Remembered<Key>, most: number): void {
  for (const key of remembered.keys()) {
    if (remembered.size <= most) return
    remembered.delete(key)
  }
}
