// Makes a device's description of itself safe to show to people: no control characters, no text direction tricks.

import { readText, required } from '../json/fields.ts'
import { ApiError } from '../errors.ts'

const MAX_LENGTH = 128
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu

export function readDeviceName(body: Record<string, unknown>): string {
  const name = required(readText(body, 'name', 'name'), 'name')
    .replaceAll(UNPRINTABLE, '')
    .trim()
  if (name !== '' && name.length <= MAX_LENGTH) return name
  throw new ApiError('invalid_value', `Invalid 'name': expected 1 to ${MAX_LENGTH} characters.`, 'name')
}

/** Optional. */
export function readPlainText(body: Record<string, unknown>, field: string): string {
  return (readText(body, field, field) ?? '').replaceAll(UNPRINTABLE, '').trim().slice(0, MAX_LENGTH)
}
