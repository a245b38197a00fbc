// Small readers for the fields of a parsed frame. Each returns the value with its type or throws a
// ProtocolError that names the field. shapes.ts makes readers of whole objects.

export class ProtocolError extends Error {
  override name = 'ProtocolError'
}

export type Fields = Readonly<Record<string, unknown>>

export type Read<Value> = (value: unknown, name: string) => Value

/** A JSON object: neither null nor an array. */
export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ProtocolError(`${name} must be JSON`)
  }
}

/** For a frame type newer than the reader. */
export function skipUnknown(fields: Fields): undefined {
  asText(fields['type'], 'type')
}

export function asObject(value: unknown, name: string): Fields {
  if (!isObject(value)) throw new ProtocolError(`"${name}" must be an object`)
  return value
}

export function asText(value: unknown, name: string, maxLength = Number.POSITIVE_INFINITY): string {
  if (typeof value !== 'string') throw new ProtocolError(`"${name}" must be a string`)
  if (value.length > maxLength) throw new ProtocolError(`"${name}" must have at most ${maxLength} characters`)
  return value
}

export function asCount(value: unknown, name: string, max = Number.MAX_SAFE_INTEGER): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0 || value > max)
    throw new ProtocolError(`"${name}" must be a whole number from 0 to ${max}`)
  return value
}

// JSON can hold numbers that JavaScript cannot (1e999). They come out as Infinity and could not be sent on.
export function asNumber(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new ProtocolError(`"${name}" must be a finite number`)
  return value
}

export function asFlag(value: unknown, name: string): boolean {
  if (typeof value !== 'boolean') throw new ProtocolError(`"${name}" must be true or false`)
  return value
}

/** Older devices send such a list with every token, so it is checked in place instead of copied. */
export function asCounts(value: unknown, name: string, maxLength: number, max: number): number[] {
  const values = asArray(value, name, maxLength) as number[]
  for (let index = 0; index < values.length; index++) asCount(values[index], name, max)
  return values
}

export function asArray(value: unknown, name: string, maxLength = Number.POSITIVE_INFINITY): unknown[] {
  if (!Array.isArray(value)) throw new ProtocolError(`"${name}" must be an array`)
  if (value.length > maxLength) throw new ProtocolError(`"${name}" must have at most ${maxLength} items`)
  return value
}

/** One of a closed list of words. A word newer than the reader becomes `fallback`, if there is one. */
export function asWord<Word extends string>(
  value: unknown,
  name: string,
  words: readonly Word[],
  fallback?: Word,
): Word {
  const text = asText(value, name)
  const word = words.find((candidate) => candidate === text) ?? fallback
  if (word === undefined) throw new ProtocolError(`"${name}" must be one of ${words.join(', ')}`)
  return word
}

export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null
}
