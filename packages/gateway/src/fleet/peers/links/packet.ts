// One bus message of a peer link: a line of text about it, then a part of the messages.

export interface PacketHead {
  /**
   * `hello` opens a peer link and keeps it alive; `part` is followed by more of the same batch; `batch` is the last part, or the only one; `bye`
   * ends it.
   */
  kind: 'hello' | 'part' | 'batch' | 'bye'
  /** The sender's session, and the receiver's as far as the sender knows it: 0 if it doesn't. */
  session: number
  toSession: number
  /** Of this packet; of the last one before it for a hello. */
  number: number
  /** Bytes that arrived in this session. */
  received: number
}

interface AddressedHead extends PacketHead {
  from: string
  version: string
}

const END = 10

export function writePacket(head: AddressedHead, body: Uint8Array | undefined): Uint8Array {
  const { kind, from, version, session, toSession, number, received } = head
  const line = `${kind} ${from} ${version} ${session} ${toSession} ${number} ${received}\n`
  if (!body) return Buffer.from(line, 'latin1')
  const packet = Buffer.allocUnsafe(line.length + body.length)
  packet.write(line, 'latin1')
  packet.set(body, line.length)
  return packet
}

/** `body` is a view of the payload. */
export function readPacket(payload: Uint8Array): { head: AddressedHead; body: Buffer } {
  const packet = Buffer.from(payload.buffer, payload.byteOffset, payload.length)
  const end = packet.indexOf(END)
  const [kind, from = '', version = '', ...numbers] = packet.toString('latin1', 0, end).split(' ')
  const [session = 0, toSession = 0, number = 0, received = 0] = numbers.map(Number)
  const head = { kind: kind as PacketHead['kind'], from, version, session, toSession, number, received }
  return { head, body: packet.subarray(end + 1) }
}
