// Reads JSON that somebody else wrote: signed documents, files on disk, answers of other programs. Whatever isn't what it should be counts as
// absent, and the caller says what that means: nothing here throws. It is in this package because all programs on people's own machines come
// with it, and it imports nothing of ours.

import { MAX_NAME_LENGTH } from './limits.ts'

export type Fields = Readonly<Record<string, unknown>>

/** The object in a text; undefined if it is anything else. */
export function parseFields(json: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A JSON object: neither null nor an array. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Empty if it is no object. */
export function asFields(value: unknown): Fields {
  return isFields(value) ? value : {}
}

/** Empty if it is no list. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Every item as a type, or undefined if one of them is not, or there are more. */
export function readList<T>(value: unknown, most: number, read: (item: unknown) => T | undefined): T[] | undefined {
  if (!Array.isArray(value) || value.length > most) return undefined
  const items: T[] = []
  for (const item of value) {
    const result = read(item)
    if (result === undefined) return undefined
    items.push(result)
  }
  return items
}

export function text(fields: Fields, name: string): string | undefined {
  const value = fields[name]
  return typeof value === 'string' ? value : undefined
}

/** A whole number from 0 on. */
export function count(fields: Fields, name: string): number | undefined {
  const value = fields[name]
  return isCount(value) ? value : undefined
}

/** One of a closed list of words. */
export function word<Word extends string>(fields: Fields, name: string, words: readonly Word[]): Word | undefined {
  return words.find((known) => known === fields[name])
}

/** A name or an ID. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_NAME_LENGTH
}

export function isCount(value: unknown, least = 0, most = Number.MAX_SAFE_INTEGER): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
}
