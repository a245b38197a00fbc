// A machine's description of itself when it joins, made safe to show to people: no control characters, no text direction tricks. None of it is
// verified.

import { ProtocolError, isObject, readMachine, type Machine } from '@hearth/protocol'
import { readText, requireText, ApiError } from '@hearth/chat'
import { printableMachine } from '../../text/printable-machine.ts'
import { dropUnprintable } from '../../text/printable.ts'

const MAX_LENGTH = 128

export function readDeviceName(body: Record<string, unknown>): string {
  const name = dropUnprintable(requireText(body, 'name')).trim()
  if (name !== '' && name.length <= MAX_LENGTH) return name
  throw new ApiError('invalid_value', `Invalid 'name': expected 1 to ${MAX_LENGTH} characters.`, 'name')
}

/** Optional. */
export function readPlainText(body: Record<string, unknown>, field: string): string {
  return dropUnprintable(readText(body, field) ?? '')
    .trim()
    .slice(0, MAX_LENGTH)
}

/** Optional: older apps don't say. */
export function readJoiningMachine(body: Record<string, unknown>): { machine?: Machine } {
  const { machine } = body
  if (!isObject(machine)) return {}
  try {
    return { machine: printableMachine(readMachine(machine, 'machine')) }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    throw new ApiError('invalid_value', `Invalid 'machine': ${error.message}.`, 'machine')
  }
}
