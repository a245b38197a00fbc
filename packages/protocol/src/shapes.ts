// A message is declared once: its shape says how each field is read, and its type is what the shape reads.

import {
  asArray,
  asCount,
  asNumber,
  asObject,
  asText,
  asWord,
  isAbsent,
  ProtocolError,
  skipUnknown,
  type Fields,
  type Read,
} from './read-fields.ts'

/** A field that may be absent, or null, which counts as absent. */
export interface Maybe<Value> {
  maybe: Read<Value>
}

export type Shape = Readonly<Record<string, Read<unknown> | Maybe<unknown>>>

/** What a reader returns. */
export type ValueOf<Reader> = Reader extends Read<infer Value> ? Value : never

export type Shaped<Of extends Shape> = Flat<
  { -readonly [Name in keyof Of as Of[Name] extends Read<unknown> ? Name : never]: ValueOf<Of[Name]> } & {
    -readonly [Name in keyof Of as Of[Name] extends Read<unknown> ? never : Name]?: Of[Name] extends Maybe<infer Value>
      ? Value
      : never
  }
>

type Flat<Value> = { [Name in keyof Value]: Value[Name] }

/** Tagged by `Tag`, whose values are the names in the table. */
export type Variants<Tag extends string, Table extends Readonly<Record<string, Shape>>> = {
  [Name in keyof Table & string]: Flat<{ [tag in Tag]: Name } & Shaped<Table[Name]>>
}[keyof Table & string]

const BASE64URL = /^[\w-]+$/

export function maybe<Value>(read: Read<Value>): Maybe<Value> {
  return { maybe: read }
}

export function text(maxLength: number): Read<string> {
  return (value, name) => asText(value, name, maxLength)
}

export function count(max: number): Read<number> {
  return (value, name) => asCount(value, name, max)
}

/** With decimals, as a meter shows it. */
export function amount(max: number): Read<number> {
  return (value, name) => {
    const found = asNumber(value, name)
    if (found < 0 || found > max) throw new ProtocolError(`"${name}" must be from 0 to ${max}`)
    return found
  }
}

/** A key of exactly this size, in base64url. */
export function key(bytes: number): Read<string> {
  return (value, name) => {
    const found = asText(value, name)
    if (found.length !== Math.ceil((bytes * 4) / 3) || !BASE64URL.test(found))
      throw new ProtocolError(`"${name}" must be ${bytes} bytes in base64url`)
    return found
  }
}

/** One of a closed list of words. A word newer than the reader becomes `fallback`, if there is one. */
export function oneOf<const Word extends string>(words: readonly Word[], fallback?: NoInfer<Word>): Read<Word> {
  return (value, name) => asWord(value, name, words, fallback)
}

/** Items get the name of the list: an index would cost a string per token. */
export function list<Item>(maxLength: number, read: Read<Item>): Read<Item[]> {
  return (value, name) => asArray(value, name, maxLength).map((item) => read(item, name))
}

/** Items are named by their index: `stop[2]`. */
export function listAt<Item>(read: Read<Item>): Read<Item[]> {
  return (value, name) => asArray(value, name).map((item, index) => read(item, `${name}[${index}]`))
}

/** Errors name the field alone. */
export function object<Of extends Shape>(shape: Of): Read<Shaped<Of>> {
  const readFields = fieldReader(shape, (_, field) => field)
  return (value, name) => readFields(asObject(value, name), name, {})
}

/** Errors name the whole path of the field: `messages[2].toolCalls[0].id`. */
export function objectAt<Of extends Shape>(shape: Of): Read<Shaped<Of>> {
  const readFields = fieldReader(shape, inside)
  return (value, name) => readFields(asObject(value, name), name, {})
}

/** One of several shapes, as the field `tag` says. Errors name whole paths. */
export function variantsAt<Tag extends string, Table extends Readonly<Record<string, Shape>>>(
  tag: Tag,
  table: Table,
): Read<Variants<Tag, Table>> {
  const readers = new Map(Object.entries(table).map(([name, shape]) => [name, fieldReader(shape, inside)]))
  const names = [...readers.keys()]
  return (value, path) => {
    const fields = asObject(value, path)
    const name = asWord(fields[tag], inside(path, tag), names)
    return readers.get(name)?.(fields, path, { [tag]: name }) as Variants<Tag, Table>
  }
}

/**
 * Reads frames by their type. Undefined for a type that is not in the table, and so newer than this
 * reader.
 */
export function framesOf<Table extends Readonly<Record<string, Shape>>>(
  table: Table,
): (fields: Fields) => Variants<'type', Table> | undefined {
  const readers = new Map<unknown, FieldReader>(
    Object.entries(table).map(([type, shape]) => [type, fieldReader(shape, (_, field) => field)]),
  )
  return (fields) => {
    const read = readers.get(fields['type'])
    return read ? (read(fields, '', { type: fields['type'] }) as Variants<'type', Table>) : skipUnknown(fields)
  }
}

type FieldReader<Value = unknown> = (fields: Fields, path: string, into: Record<string, unknown>) => Value

function fieldReader<Of extends Shape>(
  shape: Of,
  nameOf: (path: string, field: string) => string,
): FieldReader<Shaped<Of>> {
  const entries = Object.entries(shape)
  return (fields, path, into) => {
    for (const [field, reader] of entries) {
      const value = fields[field]
      if (typeof reader === 'function') into[field] = reader(value, nameOf(path, field))
      else if (!isAbsent(value)) into[field] = reader.maybe(value, nameOf(path, field))
    }
    return into as Shaped<Of>
  }
}

function inside(path: string, field: string): string {
  return `${path}.${field}`
}
