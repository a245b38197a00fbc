// The only place where frames become text and text becomes frames. What comes out of here is well-formed: nobody behind it checks again.

import type { DeviceFrame, GatewayFrame } from './frames.ts'
import { readDeviceFrame } from './read-device-frame.ts'
import { readGatewayFrame } from './read-gateway-frame.ts'
import { isObject, ProtocolError, type Fields } from './read-fields.ts'

export function encodeFrame(frame: DeviceFrame | GatewayFrame): string {
  return JSON.stringify(frame)
}

/** Frames that were ready at the same moment, as one message. Takes frames already encoded, so that each is spelled once. */
export function joinFrames(encoded: readonly string[]): string {
  return encoded.length === 1 ? encoded[0]! : `[${encoded.join(',')}]`
}

/** Calls `visit` for each known frame of a message from a device, in order. Throws ProtocolError at the first malformed one. */
export function parseDeviceFrames(message: string, visit: (frame: DeviceFrame) => void): void {
  parseFrames(message, readDeviceFrame, visit)
}

export function parseGatewayFrames(message: string, visit: (frame: GatewayFrame) => void): void {
  parseFrames(message, readGatewayFrame, visit)
}

function parseFrames<Frame>(
  message: string,
  read: (fields: Fields) => Frame | undefined,
  visit: (frame: Frame) => void,
): void {
  const value = parseJson(message)
  if (!Array.isArray(value)) return parseOne(value, read, visit)
  for (const item of value) parseOne(item, read, visit)
}

function parseOne<Frame>(
  value: unknown,
  read: (fields: Fields) => Frame | undefined,
  visit: (frame: Frame) => void,
): void {
  if (!isObject(value)) throw new ProtocolError('a frame is an object')
  const frame = read(value)
  if (frame !== undefined) visit(frame)
}

function parseJson(message: string): unknown {
  try {
    return JSON.parse(message)
  } catch {
    throw new ProtocolError('a message is JSON')
  }
}
