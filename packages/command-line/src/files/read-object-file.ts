import { isFields, type Fields } from '@hearth/sealing/fields'
import { CommandError } from '../errors.ts'
import { readJson } from './write-atomic.ts'

/** The object in one of our own files, which people may have edited. Undefined if the file doesn't exist. */
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
