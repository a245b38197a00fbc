// Reads the fields of a request body. Each reader returns the value with its type, returns undefined when the field was not sent (null counts
// as not sent), or throws the error the reference API would: same code, same param, same message.

import { isObject, type Fields } from '@hearth/protocol'
import { ApiError, type ApiErrorCode } from '../errors.ts'

/** The place of a field, for `param` and messages: `temperature`, `messages[2].content`. */
export type Path = string

/** Null counts as not sent. */
export function sent(fields: Fields, name: string): unknown {
  const value = fields[name]
  return value === null ? undefined : value
}

/** The place of a field of the object at `path`. Joined for errors only: every request has many places. */
function inside(path: Path, name: string): Path {
  return path === '' ? name : `${path}.${name}`
}

export function readText(fields: Fields, name: string, path: Path = ''): string | undefined {
  const value = sent(fields, name)
  if (value === undefined || typeof value === 'string') return value
  throw wrongType(inside(path, name), 'a string', value)
}

export function requireText(fields: Fields, name: string, path: Path = ''): string {
  return required(readText(fields, name, path), name, path)
}

export function readFlag(fields: Fields, name: string, path: Path = ''): boolean | undefined {
  const value = sent(fields, name)
  if (value === undefined || typeof value === 'boolean') return value
  throw wrongType(inside(path, name), 'a boolean', value)
}

export function readDecimal(fields: Fields, name: string, min: number, max: number): number | undefined {
  const value = sent(fields, name)
  if (value === undefined) return undefined
  if (typeof value !== 'number') throw wrongType(name, 'a decimal', value)
  if (value < min) throw outOfRange('decimal_below_min_value', name, min, value)
  if (value > max) throw outOfRange('decimal_above_max_value', name, max, value)
  return value
}

export function readInteger(fields: Fields, name: string, min: number, max: number): number | undefined {
  const value = sent(fields, name)
  if (value === undefined) return undefined
  if (typeof value !== 'number' || !Number.isInteger(value)) throw wrongType(name, 'an integer', value)
  if (value < min) throw outOfRange('integer_below_min_value', name, min, value)
  if (value > max) throw outOfRange('integer_above_max_value', name, max, value)
  return value
}

export function readObject(fields: Fields, name: string, path: Path = ''): Fields | undefined {
  const value = sent(fields, name)
  if (value === undefined || isObject(value)) return value
  throw wrongType(inside(path, name), 'an object', value)
}

export function readObjects(fields: Fields, name: string, path: Path = ''): readonly unknown[] | undefined {
  const value = sent(fields, name)
  if (value === undefined || Array.isArray(value)) return value
  throw wrongType(inside(path, name), 'an array of objects', value)
}

export function asObject(value: unknown, path: Path): Fields {
  if (isObject(value)) return value
  throw wrongType(path, 'an object', value)
}

export function required<Value>(value: Value | undefined, name: string, path: Path = ''): Value {
  if (value !== undefined) return value
  const param = inside(path, name)
  throw new ApiError('missing_required_parameter', `Missing required parameter: '${param}'.`, param)
}

export function wrongType(path: Path, expected: string, value: unknown): ApiError {
  return new ApiError(
    'invalid_type',
    `Invalid type for '${path}': expected ${expected}, but got ${nameOfType(value)} instead.`,
    path,
  )
}

export function wrongValue(path: Path, value: string, supported: readonly string[]): ApiError {
  return new ApiError(
    'invalid_value',
    `Invalid value: '${shorten(value)}'. Supported values are: ${listed(supported)}.`,
    path,
  )
}

export function tooLong(path: Path, max: number, length: number): ApiError {
  return new ApiError(
    'array_above_max_length',
    `Invalid '${path}': array too long. Expected an array with maximum length ${max}, but got an array with length ${length} instead.`,
    path,
  )
}

export function listed(values: readonly string[]): string {
  const quoted = values.map((value) => `'${value}'`)
  return quoted.length < 3 ? quoted.join(' and ') : `${quoted.slice(0, -1).join(', ')}, and ${quoted.at(-1)}`
}

/** Errors repeat only a short part of what a client sent, so that they never contain a prompt. */
export function shorten(value: string): string {
  return value.length <= 64 ? value : `${value.slice(0, 61)}...`
}

export function outOfRange(code: ApiErrorCode, path: Path, bound: number, value: number): ApiError {
  const kind = code.startsWith('integer') ? 'integer' : 'decimal'
  const isAbove = code.endsWith('above_max_value')
  return new ApiError(
    code,
    `Invalid '${path}': ${kind} ${isAbove ? 'above maximum' : 'below minimum'} value. Expected a value ${isAbove ? '<=' : '>='} ${bound}, but got ${value} instead.`,
    path,
  )
}

function nameOfType(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a decimal number'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
