// Several connections on one database that knows only one. PGlite is a single backend: what one connection prepares or begins, every other
// one would see. So connections take turns. A turn lasts from the first message to the moment the database is idle again (a whole query,
// or a whole transaction), and the names of prepared statements are kept apart.

import type { Server, Socket } from 'node:net'
import type { PGlite } from '@electric-sql/pglite'
import {
  MessageSplitter,
  SYNC,
  closeStatement,
  parsedStatement,
  prefixStatement,
  simpleQuery,
  type Message,
} from './wire-messages.ts'

type Backend = Pick<PGlite, 'execProtocolRawStream' | 'isInTransaction'>

/** A connection that keeps its turn this long without a word blocks all others: it is cut and rolled back. */
const SILENT_TURN_MS = 30_000
/** The messages that are answered with the state of the transaction, in the last byte. */
const ASKS_STATE = new Set(['Q', 'S', 'F'])
const IDLE = 'I'.charCodeAt(0)

/** The returned function ends every conversation, rolled back where it was in the middle of something. */
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
  /** Keeps its prepared statements apart from others'. */
  prefix: string
}

class Connection {
  readonly #socket: Socket
  readonly #place: ConnectionPlace
  readonly #statements = new Set<string>()
  #endTurn: (() => void) | undefined

  constructor(socket: Socket, place: ConnectionPlace) {
    this.#socket = socket
    this.#place = place
  }

  /** Rejects only when the database itself failed. */
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
      // The client is gone or speaks another protocol: either way the conversation is over.
    }
  }

  async #answer(message: Message): Promise<void> {
    if (message.kind === 'encryption-request') this.#socket.write('N')
    else if (message.kind === 'cancel-request') this.#socket.end()
    else if (message.kind === 'startup') await this.#run(message.bytes, true)
    else if (message.type !== 'X') await this.#command(message.type, message.bytes)
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
    this.#endTurn ??= await this.#place.turns.take()
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
    // Sync first: after an error the database ignores everything else until it comes.
    await this.#send(SYNC)
    if (this.#place.backend.isInTransaction()) await this.#send(simpleQuery('rollback'))
    for (const statement of this.#statements) await this.#send(closeStatement(statement))
    await this.#send(SYNC)
    this.#giveTurnBack()
  }

  async #send(bytes: Buffer, onReply: (reply: Buffer) => void = () => undefined): Promise<void> {
    // The reply is a view into the database's memory and must be copied before it runs on.
    await this.#place.backend.execProtocolRawStream(bytes, { onRawData: (reply) => onReply(Buffer.from(reply)) })
  }
}

class Turns {
  #last: Promise<void> = Promise.resolve()

  /** Resolves when everyone before has given the turn back, to the function that gives this one back. */
  async take(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = this.#last
    this.#last = promise
    await before
    return resolve
  }
}
