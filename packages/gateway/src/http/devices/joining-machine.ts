// A machine's description of itself when it joins. None of it is verified.

import { ProtocolError, isObject, readMachine, type Machine } from '@hearth/protocol'
import { ApiError } from '@hearth/chat'
import { printableMachine } from '../../text/printable-machine.ts'

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
