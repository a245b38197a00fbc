// One WebSocket frame from a client, as bytes: right by default, and wrong in every way that is asked for.

export interface FrameShape {
  /** 1 is text, 2 is binary, 8 closes, 9 pings, 10 pongs; the others are reserved. */
  opcode: number
  isFinal?: boolean
  isMasked?: boolean
  /** Reserved bits, 0 to 7. */
  reserved?: number
  /** Declares another length than the payload has. */
  declaredLength?: number
}

export function formatFrame(payload: string, shape: FrameShape): string {
  const { opcode, isFinal = true, isMasked = true, reserved = 0, declaredLength = payload.length } = shape
  const first = String.fromCharCode((isFinal ? 0x80 : 0) | (reserved << 4) | opcode)
  // A mask of zeros changes nothing.
  return first + formatLength(declaredLength, isMasked) + (isMasked ? '\0\0\0\0' : '') + payload
}

function formatLength(length: number, isMasked: boolean): string {
  const mask = isMasked ? 0x80 : 0
  if (length < 126) return String.fromCharCode(mask | length)
  if (length < 65_536) return String.fromCharCode(mask | 126, length >> 8, length & 0xff)
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(length))
  return String.fromCharCode(mask | 127) + bytes.toString('latin1')
}
