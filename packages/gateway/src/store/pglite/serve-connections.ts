// Serves several connections from a database that supports only one. PGlite is a single backend: a statement that one connection prepares,
// or a transaction that it begins, is visible to all others. So connections take turns. A turn lasts from the first message until the
// database is idle again (a whole query or transaction), and each connection's prepared statements get names of their own. Connections wait
// in line for their turn, except urgent ones, which go first.

import type { Server, Socket } from 'node:net'
import type { PGlite } from '@electric-sql/pglite'
import {
  MessageSplitter,
  SYNC,
  clientName,
  closeStatement,
  parsedStatement,
  prefixStatement,
  simpleQuery,
  type Message,
} from './wire-messages.ts'

type Backend = Pick<PGlite, 'execProtocolRawStream' | 'isInTransaction'>

/** A client with this name is urgent: it reads who has access, and nothing that others do may delay it. */
export const URGENT = 'hearth-access'

/** A connection that holds its turn in silence for this long blocks all others: it is closed and rolled back. */
const SILENT_TURN_MS = 30_000
/** Messages whose reply ends with the state of the transaction, in the last byte. */
const ASKS_STATE = new Set(['Q', 'S', 'F'])
const IDLE = 'I'.charCodeAt(0)

/** Returns a function that ends every conversation and rolls back open transactions. */
export function serveConnections(
  server: Server,
  backend: Backend,
  onFatal: (error: unknown) => void,
  silentTurnMs = SILENT_TURN_MS,
): () => Promise<void> {
  const turns = new Turns()
  const conversations = new Map<Socket, Promise<void>>()
  let count = 0
  server.on('connection', (socket) => {
    const connection = new Connection(socket, { backend, turns, silentTurnMs, prefix: `c${++count}_` })
    const conversation = connection.serve().catch(onFatal)
    conversations.set(
      socket,
      conversation.finally(() => conversations.delete(socket)),
    )
  })
  return async () => {
    for (const socket of conversations.keys()) socket.destroy()
    await Promise.all(conversations.values())
  }
}

interface ConnectionPlace {
  backend: Backend
  turns: Turns
  silentTurnMs: number
  /** Separates its prepared statements from those of other connections. */
  prefix: string
}

class Connection {
  readonly #socket: Socket
  readonly #place: ConnectionPlace
  readonly #statements = new Set<string>()
  #endTurn: (() => void) | undefined
  #isUrgent = false

  constructor(socket: Socket, place: ConnectionPlace) {
    this.#socket = socket
    this.#place = place
  }

  /** Rejects only if the database itself failed. */
  async serve(): Promise<void> {
    this.#socket.on('timeout', () => this.#socket.destroy())
    try {
      for await (const message of this.#messages()) await this.#answer(message)
    } finally {
      await this.#cleanUp()
      this.#socket.destroy()
    }
  }

  async *#messages(): AsyncGenerator<Message> {
    const splitter = new MessageSplitter()
    try {
      for await (const chunk of this.#socket) yield* splitter.push(chunk as Buffer)
    } catch {
      // The client is gone or uses another protocol: either way the conversation is over.
    }
  }

  async #answer(message: Message): Promise<void> {
    if (message.kind === 'encryption-request') this.#socket.write('N')
    else if (message.kind === 'cancel-request') this.#socket.end()
    else if (message.kind === 'startup') await this.#start(message.bytes)
    else if (message.type !== 'X') await this.#command(message.type, message.bytes)
  }

  async #start(bytes: Buffer): Promise<void> {
    this.#isUrgent = clientName(bytes) === URGENT
    await this.#run(bytes, true)
  }

  async #command(type: string, bytes: Buffer): Promise<void> {
    const statement = parsedStatement(type, bytes)
    if (statement !== undefined) this.#statements.add(this.#place.prefix + statement)
    await this.#run(prefixStatement(type, bytes, this.#place.prefix), ASKS_STATE.has(type))
  }

  async #run(bytes: Buffer, asksState: boolean): Promise<void> {
    await this.#takeTurn()
    let last: number | undefined
    await this.#send(bytes, (reply) => {
      last = reply.at(-1)
      if (this.#socket.writable) this.#socket.write(reply)
    })
    if (asksState && last === IDLE) this.#giveTurnBack()
  }

  async #takeTurn(): Promise<void> {
    this.#endTurn ??= await this.#place.turns.take(this.#isUrgent)
    this.#socket.setTimeout(this.#place.silentTurnMs)
  }

  #giveTurnBack(): void {
    this.#socket.setTimeout(0)
    this.#endTurn?.()
    this.#endTurn = undefined
  }

  async #cleanUp(): Promise<void> {
    if (this.#endTurn === undefined && this.#statements.size === 0) return
    await this.#takeTurn()
    // Sync first: after an error, the database ignores everything else until it receives one.
    await this.#send(SYNC)
    if (this.#place.backend.isInTransaction()) await this.#send(simpleQuery('rollback'))
    for (const statement of this.#statements) await this.#send(closeStatement(statement))
    await this.#send(SYNC)
    this.#giveTurnBack()
  }

  async #send(bytes: Buffer, onReply: (reply: Buffer) => void = () => undefined): Promise<void> {
    // The reply is a view into the database's memory, and has to be copied before the database continues.
    await this.#place.backend.execProtocolRawStream(bytes, { onRawData: (reply) => onReply(Buffer.from(reply)) })
  }
}

class Turns {
  readonly #urgent: (() => void)[] = []
  readonly #others: (() => void)[] = []
  #isTaken = false

  /** Resolves when the turn begins, to a function that ends it. */
  async take(isUrgent: boolean): Promise<() => void> {
    if (this.#isTaken) await new Promise<void>((begin) => (isUrgent ? this.#urgent : this.#others).push(begin))
    this.#isTaken = true
    return () => this.#next()
  }

  #next(): void {
    const begin = this.#urgent.shift() ?? this.#others.shift()
    if (begin) begin()
    else this.#isTaken = false
  }
}
