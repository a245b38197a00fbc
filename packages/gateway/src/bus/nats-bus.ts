// The bus over NATS core. The library's own reconnecting is off: it would keep messages from before and send them late, and it waits
// forever for a server that no longer reads. So each connection is used until it breaks, and then replaced.

import { setTimeout as sleep } from 'node:timers/promises'
import {
  AuthorizationError,
  connect,
  type ConnectionOptions,
  type Msg,
  type NatsConnection,
} from '@nats-io/transport-node'
import { checkSubject, type Bus, type BusListener, type BusServer, type BusStats } from './bus.ts'
import { BusRecord } from './bus-record.ts'
import { Pulse } from './nats-pulse.ts'
import { readNatsUrl, type NatsAddress } from './nats-url.ts'

export interface NatsBusOptions {
  /** Shown in the server's list of connections. */
  name?: string
  /** A listener threw, or the server rejects a subject. */
  onFault: (error: unknown) => void
  /** The connection broke, or could not be opened again. */
  onTrouble?: (error: Error) => void
}

const CONNECT_MS = 3_000
const RETRY_MS = 250
/** Senders split larger messages. */
const NEEDED_PAYLOAD = 512 * 1024

const TLS_HINT =
  'If an authority of your own signed its certificate, name its file in NODE_EXTRA_CA_CERTS; if the server has no TLS, use nats:// instead of tls://'

/** Throws an error for the operator if the server can't be used. It never contains the password. */
export async function connectNats(url: string, options: NatsBusOptions): Promise<Bus> {
  const address = readNatsUrl(url)
  const bus = new NatsBus(address, options)
  await bus.open()
  return bus
}

interface Subscription {
  subject: string
  listener: BusListener
  /** On the connection of the moment. */
  end: () => void
}

class NatsBus implements Bus {
  readonly #address: NatsAddress
  readonly #options: NatsBusOptions
  readonly #subscriptions = new Set<Subscription>()
  readonly #record = new BusRecord()
  readonly #closing = new AbortController()
  #connection: NatsConnection | undefined
  /** Of this connection. */
  #pulse: Pulse | undefined
  #maxPayload = 0

  constructor(address: NatsAddress, options: NatsBusOptions) {
    this.#address = address
    this.#options = options
  }

  async open(): Promise<void> {
    const connection = await this.#dial()
    if (this.#closing.signal.aborted) return connection.close()
    this.#connection = connection
    this.#maxPayload = connection.info?.max_payload ?? this.#maxPayload
    for (const subscription of this.#subscriptions) this.#subscribe(connection, subscription)
    this.#pulse = new Pulse(connection, () => this.#replace(new Error('the server does not answer')))
    void connection.closed().then((error) => this.#lost(connection, error ?? new Error('the server closed it')))
  }

  get isConnected(): boolean {
    return this.#connection !== undefined
  }

  get server(): BusServer | undefined {
    const info = this.#connection?.info
    if (!info) return undefined
    const { server_id: id, server_name: name } = info
    // Without a name of its own, a server uses its ID.
    return name && name !== id ? { id, name } : { id }
  }

  publish(subject: string, payload: Uint8Array): void {
    checkSubject(subject)
    if (!this.#connection) return
    if (payload.length > this.#maxPayload)
      throw new Error(`Cannot publish ${payload.length} bytes: the server takes ${this.#maxPayload} bytes at most`)
    this.#record.sent(payload)
    this.#connection.publish(subject, payload)
    this.#pulse?.sent(payload.length)
  }

  subscribe(subject: string, listener: BusListener): () => void {
    checkSubject(subject)
    const subscription: Subscription = { subject, listener, end: () => {} }
    this.#subscriptions.add(subscription)
    if (this.#connection) this.#subscribe(this.#connection, subscription)
    return () => {
      if (this.#subscriptions.delete(subscription) && this.#connection) subscription.end()
    }
  }

  onState(listener: (isConnected: boolean) => void): () => void {
    return this.#record.onState(listener)
  }

  stats(): BusStats {
    return this.#record.stats()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#pulse?.stop()
    this.#record.close()
    this.#subscriptions.clear()
    const connection = this.#connection
    this.#connection = undefined
    // Nobody waits anymore for messages that cannot be sent.
    await connection?.flush().catch(() => undefined)
    await connection?.close()
  }

  async #dial(): Promise<NatsConnection> {
    try {
      const connection = await connect(this.#connectionOptions())
      await checkPayloads(connection)
      return connection
    } catch (error) {
      throw explainNatsError(error, this.#address.servers)
    }
  }

  #connectionOptions(): ConnectionOptions {
    const { servers, isEncrypted, user, password, token } = this.#address
    return {
      servers,
      reconnect: false,
      timeout: CONNECT_MS,
      noAsyncTraces: true,
      ...(this.#options.name !== undefined && { name: this.#options.name }),
      ...(isEncrypted && { tls: {} }),
      ...(user !== undefined && { user, pass: password ?? '' }),
      ...(token !== undefined && { token }),
    }
  }

  #subscribe(connection: NatsConnection, subscription: Subscription): void {
    const { subject, listener } = subscription
    const subscribed = connection.subscribe(subject, {
      callback: (error, message) =>
        error ? this.#options.onFault(error) : this.#received(connection, listener, message),
    })
    subscription.end = () => subscribed.unsubscribe()
  }

  #received(connection: NatsConnection, listener: BusListener, { data }: Msg): void {
    if (connection !== this.#connection) return
    this.#record.received(data)
    try {
      listener(data)
    } catch (error) {
      this.#options.onFault(error)
    }
  }

  /** Gives up a connection that no longer works. */
  #replace(why: Error): void {
    const connection = this.#connection
    if (!connection) return
    this.#lost(connection, why)
    void connection.close()
  }

  #lost(connection: NatsConnection, why: Error): void {
    if (connection !== this.#connection) return
    this.#connection = undefined
    this.#pulse?.stop()
    this.#options.onTrouble?.(explainNatsError(why, this.#address.servers))
    this.#record.changed(false)
    void this.#openAgain()
  }

  async #openAgain(): Promise<void> {
    const { signal } = this.#closing
    while (!this.#connection && !signal.aborted) {
      await sleep(RETRY_MS / 2 + Math.random() * RETRY_MS, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      await this.open().catch((error: Error) => this.#options.onTrouble?.(error))
    }
    if (this.#connection) this.#record.changed(true)
  }
}

async function checkPayloads(connection: NatsConnection): Promise<void> {
  const most = connection.info?.max_payload ?? 0
  if (most >= NEEDED_PAYLOAD) return
  await connection.close()
  throw new Error(`it takes messages of at most ${most} bytes; set its max_payload to 1MB`)
}

/** Why a NATS server can't be used, in words that tell an operator what to change. */
function explainNatsError(error: unknown, servers: readonly string[]): Error {
  const where = servers.join(', ')
  if (error instanceof AuthorizationError)
    return new Error(`NATS at ${where} rejects the user name, password or token`, { cause: error })
  const why = reasonOf(error)
  if (isAboutTls(error, why))
    return new Error(`Cannot connect to NATS at ${where} over TLS: ${why}. ${TLS_HINT}`, { cause: error })
  return new Error(`Cannot reach NATS at ${where}: ${why}`, { cause: error })
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection was closed'
  return error.name === 'TimeoutError' ? 'no answer in time' : error.message
}

/** The library reports a server without TLS only in its message. The text chooses a hint here, and decides nothing. */
function isAboutTls(error: unknown, why: string): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code) || /\btls\b|certificate/i.test(why)
}
