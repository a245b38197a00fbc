// Makes a device's description of itself safe to show to people: no control characters, no text direction tricks.

import { readText, required, ApiError } from '@hearth/chat'
import { dropUnprintable } from '../../text/printable.ts'

const MAX_LENGTH = 128

export function readDeviceName(body: Record<string, unknown>): string {
  const name = dropUnprintable(required(readText(body, 'name', 'name'), 'name')).trim()
  if (name !== '' && name.length <= MAX_LENGTH) return name
  throw new ApiError('invalid_value', `Invalid 'name': expected 1 to ${MAX_LENGTH} characters.`, 'name')
}

/** Optional. */
export function readPlainText(body: Record<string, unknown>, field: string): string {
  return dropUnprintable(readText(body, field, field) ?? '')
    .trim()
    .slice(0, MAX_LENGTH)
}
