// Reads fields from our own small files, which people may have edited. An error names the file and the field.

import { isFields, type Fields } from '@hearth/sealing/fields'
import { CommandError } from '../errors.ts'
import { readJson } from './write-atomic.ts'

export { isFields, parseFields, type Fields } from '@hearth/sealing/fields'

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

export function text(fields: Fields, name: string): string | undefined {
  const value = fields[name]
  return typeof value === 'string' ? value : undefined
}

export function count(fields: Fields, name: string): number | undefined {
  const value = fields[name]
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}
