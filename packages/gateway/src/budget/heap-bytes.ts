// How much memory a value from JSON takes, at most: objects take several times as much as their text. The figures are those of V8 without
// compressed pointers; a test compares them with the heap.

const OBJECT = 40
const FIELD = 8
const ARRAY = 48
/** A list that grew may have room for half as many items again. */
const ITEM = 12
const NUMBER = 16
const TEXT = 32
/** One character beyond Latin-1 makes all of them this long. */
const CHARACTER = 2

export function heapBytes(value: unknown): number {
  if (typeof value === 'string') return TEXT + CHARACTER * value.length
  if (typeof value === 'number') return NUMBER
  if (typeof value !== 'object' || value === null) return 0
  if (!Array.isArray(value))
    return Object.values(value).reduce<number>((sum, each) => sum + FIELD + heapBytes(each), OBJECT)
  return value.reduce<number>((sum, item) => sum + ITEM + heapBytes(item), ARRAY)
}
