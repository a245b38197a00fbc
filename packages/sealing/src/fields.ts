// Checks of raw values that signed documents and headers share.

import { MAX_NAME_LENGTH } from './limits.ts'

export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object in a text that somebody else wrote; undefined if it is anything else. */
export function parseFields(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A name or an ID. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_NAME_LENGTH
}

export function isCount(value: unknown, least = 0, most = Number.MAX_SAFE_INTEGER): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most
}

/** Every item as a type, or undefined if one of them is not. */
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
