// Messages between gateways. Nothing here knows what they say.

export interface Bus {
  /**
   * Best effort: a message may get lost, but messages of one sender on one subject never change their order. Listeners of this connection
   * get it too. While disconnected, messages are dropped, not kept. Don't change the payload afterwards.
   */
  publish(subject: string, payload: Uint8Array): void
  /**
   * Calls `listener` for each message, until you call the returned function. Stays in force when the connection breaks and comes back.
   * The listener must copy the bytes that it keeps: they are part of a larger buffer.
   */
  subscribe(subject: string, listener: BusListener): () => void
  readonly isConnected: boolean
  /** Undefined while disconnected. */
  readonly server: BusServer | undefined
  /** Calls `listener` when the connection breaks and when it is back, until you call the returned function. */
  onState(listener: (isConnected: boolean) => void): () => void
  stats(): BusStats
  close(): Promise<void>
}

/** Hands the messages that it gets to each connection in one order, whoever sent them. A connection that can't keep up breaks. */
export interface BusServer {
  /** A new one at every start. */
  id: string
  /** Given by the operator. No two servers with this name run at the same time. */
  name?: string
}

export type BusListener = (payload: Uint8Array) => void

/** Since the start. */
export interface BusStats {
  messagesIn: number
  messagesOut: number
  bytesIn: number
  bytesOut: number
  /** How often the connection broke. */
  breaks: number
}

/** Letters, digits, dots, dashes and underscores: no wildcards, nothing that a server would read as the end of the subject. */
export function checkSubject(subject: string): void {
  if (!/^[\w-]+(\.[\w-]+)*$/.test(subject)) throw new Error(`Not a subject: ${JSON.stringify(subject)}`)
}
