// The parts of PostgreSQL's wire protocol that a server in front of PGlite has to understand: where a message ends, and which prepared
// statements it names.

const SSL_REQUEST = 80_877_103
const GSS_REQUEST = 80_877_104
const CANCEL_REQUEST = 80_877_102
/** The major version at the start of a startup message. */
const PROTOCOL = 3
/** Larger than any batch we send; a longer message is not this protocol. */
const MAX_MESSAGE_BYTES = 256 * 1024 * 1024

export type Message =
  | { kind: 'encryption-request' }
  | { kind: 'cancel-request' }
  | { kind: 'startup'; bytes: Buffer }
  /** `type` is the message's letter: Q is a query, P parse, B bind, D describe, E execute, C close, S sync, X terminate. */
  | { kind: 'command'; type: string; bytes: Buffer }

/** Splits one connection's bytes into messages. Messages before the startup message have no type letter. */
export class MessageSplitter {
  #rest: Buffer = Buffer.alloc(0)
  #started = false

  push(chunk: Buffer): Message[] {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const messages: Message[] = []
    for (let length = this.#nextLength(); length <= this.#rest.length; length = this.#nextLength()) {
      const bytes = this.#rest.subarray(0, length)
      this.#rest = this.#rest.subarray(length)
      messages.push(
        this.#started ? { kind: 'command', type: String.fromCharCode(bytes[0]!), bytes } : this.#first(bytes),
      )
    }
    return messages
  }

  /** Length of the next message including its letter; Infinity if it is not known yet. */
  #nextLength(): number {
    const letter = this.#started ? 1 : 0
    if (this.#rest.length < letter + 4) return Infinity
    const length = this.#rest.readUInt32BE(letter)
    if (length < 4 || length > MAX_MESSAGE_BYTES) throw new Error('Not a PostgreSQL message')
    return letter + length
  }

  #first(bytes: Buffer): Message {
    const code = bytes.length >= 8 ? bytes.readUInt32BE(4) : 0
    if (code === SSL_REQUEST || code === GSS_REQUEST) return { kind: 'encryption-request' }
    if (code === CANCEL_REQUEST) return { kind: 'cancel-request' }
    if (code >>> 16 !== PROTOCOL) throw new Error('Not a PostgreSQL message')
    this.#started = true
    return { kind: 'startup', bytes }
  }
}

/** The name that a client gives itself in its startup message. */
export function clientName(startup: Buffer): string | undefined {
  const fields = startup.toString('utf8', 8).split('\0')
  const at = fields.findIndex((field, index) => index % 2 === 0 && field === 'application_name')
  return at === -1 ? undefined : fields[at + 1]
}

/** Offset of the prepared statement's name in the message; undefined if there is none. */
function statementAt(type: string, bytes: Buffer): number | undefined {
  const at = nameOffset(type, bytes)
  return at === undefined || bytes[at] === 0 ? undefined : at
}

function nameOffset(type: string, bytes: Buffer): number | undefined {
  if (type === 'P') return 5
  if (type === 'B') return bytes.indexOf(0, 5) + 1
  if ((type === 'D' || type === 'C') && bytes[5] === 'S'.charCodeAt(0)) return 6
  return undefined
}

/** The named statement that this message creates, if any. */
export function parsedStatement(type: string, bytes: Buffer): string | undefined {
  const at = type === 'P' ? statementAt(type, bytes) : undefined
  return at === undefined ? undefined : bytes.toString('utf8', at, bytes.indexOf(0, at))
}

/** The same message with `prefix` before the statement's name. */
export function prefixStatement(type: string, bytes: Buffer, prefix: string): Buffer {
  const at = statementAt(type, bytes)
  if (at === undefined) return bytes
  const message = Buffer.concat([bytes.subarray(0, at), Buffer.from(prefix), bytes.subarray(at)])
  message.writeUInt32BE(message.length - 1, 1)
  return message
}

export function closeStatement(name: string): Buffer {
  return command('C', `S${name}\0`)
}

export function simpleQuery(text: string): Buffer {
  return command('Q', `${text}\0`)
}

export const SYNC = command('S', '')

function command(type: string, body: string): Buffer {
  const message = Buffer.from(`${type}0000${body}`)
  message.writeUInt32BE(message.length - 1, 1)
  return message
}
