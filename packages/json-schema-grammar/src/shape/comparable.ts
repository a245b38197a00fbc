// Values as JSON Schema compares them: the order of properties doesn't matter, nor how a number is
// written.

import { isObject } from '../schema/schema-object.ts'

/**
 * Equal for equal values. The JSON of a text begins with a quotation mark, that of an object or
 * array doesn't.
 */
export function toComparable(value: unknown): unknown {
  return typeof value === 'number' ? value : JSON.stringify(withSortedNames(value))
}

function withSortedNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedNames)
  if (!isObject(value)) return value
  // A list, because an object would put names that look like numbers first.
  return {
    names: Object.keys(value)
      .toSorted()
      .map((name) => [name, withSortedNames(value[name])]),
  }
}
