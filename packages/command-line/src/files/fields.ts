// Reads fields from our own small files, which people may have edited. An error names the file and the field.

import { CommandError } from '../errors.ts'
import { readJson } from './write-atomic.ts'

export type Fields = Readonly<Record<string, unknown>>

/** The object in a file, or undefined if the file doesn't exist. */
export function readObjectFile(path: string, advice: string): Fields | undefined {
  try {
    const value = readJson(path)
    if (value === undefined) return undefined
    if (isFields(value)) return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new CommandError(`Can't read ${path}: the file is damaged`, advice)
}

/** The object in a text that somebody else wrote; undefined if it is anything else. */
export function parseFields(json: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function text(fields: Fields, name: string): string | undefined {
  const value = fields[name]
  return typeof value === 'string' ? value : undefined
}

export function count(fields: Fields, name: string): number | undefined {
  const value = fields[name]
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}
