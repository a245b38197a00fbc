// A map for entries that come and go with every request, such as the running jobs. JavaScript's own Map makes a new table whenever enough
// entries came and went, and the old table refers to the new one. As soon as one of them gets old, the garbage collector treats everything
// that was ever in a later one as alive, and copies it around until its next full collection. Here, nothing refers to an entry that is
// gone.

interface Entry<Value> {
  readonly key: string
  value: Value | undefined
  /** The next one in its bucket. */
  next: Entry<Value> | undefined
  /** In the order of their arrival. */
  before: Entry<Value> | undefined
  after: Entry<Value> | undefined
}

const FEWEST_BUCKETS = 16
/** Ids differ in their last characters. */
const HASHED = 8

/** Entries are in the order in which their keys were first set. */
export class PassingMap<Value> {
  #buckets: (Entry<Value> | undefined)[] = emptyBuckets(FEWEST_BUCKETS)
  #first: Entry<Value> | undefined
  #last: Entry<Value> | undefined
  #size = 0

  get size(): number {
    return this.#size
  }

  get(key: string): Value | undefined {
    return this.#find(key)?.value
  }

  has(key: string): boolean {
    return this.#find(key) !== undefined
  }

  set(key: string, value: Value): void {
    const known = this.#find(key)
    if (known) known.value = value
    else this.#add(key, value)
  }

  delete(key: string): boolean {
    if (this.#size === 0) return false
    const bucket = hash(key) & (this.#buckets.length - 1)
    let previous: Entry<Value> | undefined
    let entry = this.#buckets[bucket]
    while (entry !== undefined && entry.key !== key) {
      previous = entry
      entry = entry.next
    }
    if (entry === undefined) return false
    if (previous === undefined) this.#buckets[bucket] = entry.next
    else previous.next = entry.next
    this.#unlink(entry)
    return true
  }

  /** A snapshot: later changes of the map make no difference. */
  values(): Value[] {
    const all: Value[] = []
    for (let entry = this.#first; entry !== undefined; entry = entry.after) all.push(entry.value as Value)
    return all
  }

  entries(): [key: string, value: Value][] {
    const all: [string, Value][] = []
    for (let entry = this.#first; entry !== undefined; entry = entry.after) all.push([entry.key, entry.value as Value])
    return all
  }

  #find(key: string): Entry<Value> | undefined {
    if (this.#size === 0) return undefined
    let entry = this.#buckets[hash(key) & (this.#buckets.length - 1)]
    while (entry !== undefined && entry.key !== key) entry = entry.next
    return entry
  }

  #add(key: string, value: Value): void {
    if (this.#size === this.#buckets.length) this.#grow()
    const bucket = hash(key) & (this.#buckets.length - 1)
    const entry: Entry<Value> = { key, value, next: this.#buckets[bucket], before: this.#last, after: undefined }
    this.#buckets[bucket] = entry
    if (this.#last === undefined) this.#first = entry
    else this.#last.after = entry
    this.#last = entry
    this.#size += 1
  }

  /** Nothing may be reached through an entry that is gone. */
  #unlink(entry: Entry<Value>): void {
    const { before, after } = entry
    if (before === undefined) this.#first = after
    else before.after = after
    if (after === undefined) this.#last = before
    else after.before = before
    entry.value = entry.next = entry.before = entry.after = undefined
    this.#size -= 1
  }

  #grow(): void {
    this.#buckets = emptyBuckets(2 * this.#buckets.length)
    for (let entry = this.#first; entry !== undefined; entry = entry.after) {
      const bucket = hash(entry.key) & (this.#buckets.length - 1)
      entry.next = this.#buckets[bucket]
      this.#buckets[bucket] = entry
    }
  }
}

function emptyBuckets<Value>(count: number): (Entry<Value> | undefined)[] {
  return Array.from({ length: count }, () => undefined)
}

function hash(key: string): number {
  let sum = key.length
  for (let index = Math.max(0, key.length - HASHED); index < key.length; index++)
    sum = (Math.imul(sum, 31) + key.charCodeAt(index)) | 0
  return sum ^ (sum >>> 15)
}
