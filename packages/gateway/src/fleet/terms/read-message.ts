// Looks at a message of another gateway before anyone acts on it.

import { isObject, readDeviceFrame } from '@hearth/protocol'
import { isJobFrame } from './job-frame.ts'
import { MESSAGE_SHAPES, type Message } from './messages.ts'

/** Throws for anything that is not a message. */
export function readMessage(value: unknown): Message {
  const type = isObject(value) ? value['type'] : undefined
  if (typeof type === 'string' && Object.hasOwn(MESSAGE_SHAPES, type)) {
    const { error } = MESSAGE_SHAPES[type as keyof typeof MESSAGE_SHAPES].safeParse(value)
    if (!error) return value as Message
    throw new Error(`A gateway sent a message "${type}" with an invalid ${error.issues[0]?.path.join('.')}`)
  }
  return readJobFrame(value)
}

/** The same frames that devices send, with the same limits. */
function readJobFrame(value: unknown): Message {
  const frame = isObject(value) ? readDeviceFrame(value) : undefined
  if (frame && isJobFrame(frame)) return frame
  throw new Error('A gateway sent a message of an unknown type')
}
