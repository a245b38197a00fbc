// Small readers for fields of a parsed frame. Each gives the value in its type or throws a ProtocolError that names the field.

export class ProtocolError extends Error {
  override name = 'ProtocolError'
}

export type Fields = Readonly<Record<string, unknown>>

export function readText(fields: Fields, name: string, maxLength = Number.POSITIVE_INFINITY): string {
  const value = fields[name]
  if (typeof value !== 'string') throw new ProtocolError(`"${name}" is a string`)
  if (value.length > maxLength) throw new ProtocolError(`"${name}" has at most ${maxLength} characters`)
  return value
}

export function readCount(fields: Fields, name: string, max = Number.MAX_SAFE_INTEGER): number {
  return asCount(fields[name], name, max)
}

export function asCount(value: unknown, name: string, max = Number.MAX_SAFE_INTEGER): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0 || value > max)
    throw new ProtocolError(`"${name}" is a whole number from 0 to ${max}`)
  return value
}

// JSON can spell numbers too large to hold (1e999), which come out as Infinity and could not be sent on.
export function readNumber(fields: Fields, name: string): number {
  const value = fields[name]
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new ProtocolError(`"${name}" is a finite number`)
  return value
}

export function readFlag(fields: Fields, name: string): boolean {
  const value = fields[name]
  if (typeof value !== 'boolean') throw new ProtocolError(`"${name}" is true or false`)
  return value
}

export function readObject(fields: Fields, name: string): Fields {
  return asObject(fields[name], name)
}

export function readList<Item>(
  fields: Fields,
  name: string,
  maxLength: number,
  read: (item: unknown, name: string) => Item,
): Item[] {
  const value = fields[name]
  if (!Array.isArray(value)) throw new ProtocolError(`"${name}" is an array`)
  if (value.length > maxLength) throw new ProtocolError(`"${name}" has at most ${maxLength} items`)
  return value.map((item) => read(item, name))
}

/** A word out of a closed list; a word newer than we are becomes `fallback`, where the frame's document allows for one. */
export function readWord<Word extends string>(
  fields: Fields,
  name: string,
  words: readonly Word[],
  fallback?: Word,
): Word {
  const value = readText(fields, name)
  const word = words.find((candidate) => candidate === value) ?? fallback
  if (word === undefined) throw new ProtocolError(`"${name}" is one of ${words.join(', ')}`)
  return word
}

/** `null` counts as absent. The result is spread into the frame, so that an absent field stays absent. */
export function optional<Name extends string, Value>(
  fields: Fields,
  name: Name,
  read: (fields: Fields, name: string) => Value,
): { [key in Name]?: Value } {
  if (fields[name] === undefined || fields[name] === null) return {}
  return { [name]: read(fields, name) } as { [key in Name]?: Value }
}

export function asObject(value: unknown, name: string): Fields {
  if (!isObject(value)) throw new ProtocolError(`"${name}" is an object`)
  return value
}

/** A JSON object: neither null nor an array. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
