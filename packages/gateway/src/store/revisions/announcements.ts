// Changes of access are announced by the database. Every gateway listens on a connection of its own, and shows in that connection's name which
// revisions it has read: so whoever makes a change can wait until all gateways know it, without knowing them.

import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Client } from 'pg'
import type { Database } from '../database/database.ts'
import { accessRevision } from '../tables/revisions.ts'
import type { Revisions } from './revisions.ts'

/** As in the triggers. */
const CHANNEL = 'hearth_access'
const NAME = 'hearth knows'
const KINDS = ['keys', 'models', 'devices'] as const
const RECONNECT_MS = 500
const CLOSE_MS = 1_000
/** A gateway that takes longer is stuck, or cut off. It reads the change when it can. */
const PATIENCE_MS = 1_000
const FIRST_PAUSE_MS = 2
const LONGEST_PAUSE_MS = 50

export const announcementQueries = { watchAccess, changesAreKnown }

export interface ChangeListener {
  /** Something may have changed. */
  onChange(): void
  /** The connection was lost. It is opened again. */
  onError(error: unknown): void
}

export interface AccessWatch {
  /** This gateway has read everything up to these revisions. */
  known(revisions: Revisions): void
  close(): Promise<void>
}

/** From now on, tells the listener of every change of access when it is committed. */
async function watchAccess({ openClient }: Database, listener: ChangeListener): Promise<AccessWatch> {
  return new Watch(openClient, listener)
}

/** Resolves when every gateway that watches has read the changes made so far, or after a second. */
async function changesAreKnown({ query }: Database): Promise<void> {
  const rows = await query.select().from(accessRevision)
  const wanted = KINDS.map((kind) => rows.find(({ name }) => name === kind)?.value ?? 0)
  const until = performance.now() + PATIENCE_MS
  for (let pauseMs = FIRST_PAUSE_MS; performance.now() < until; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const { rows: gateways } = await query.execute<{ name: string }>(
      sql`select application_name as name from pg_stat_activity
        where datname = current_database() and application_name like ${`${NAME} %`}`,
    )
    if (gateways.every(({ name }) => knows(name, wanted))) return
    await sleep(pauseMs)
  }
}

function nameOf(revisions: Revisions): string {
  return [NAME, ...KINDS.map((kind) => revisions[kind])].join(' ')
}

function knows(name: string, wanted: readonly number[]): boolean {
  const known = name.slice(NAME.length + 1).split(' ')
  return wanted.every((revision, place) => Number(known[place]) >= revision)
}

/** Connects again whenever the connection is lost. */
class Watch implements AccessWatch {
  readonly #open: Database['openClient']
  readonly #listener: ChangeListener
  readonly #closing = new AbortController()
  readonly #running: Promise<void>
  /** Undefined before this gateway has read anything: nobody has to wait for it. */
  #name: string | undefined
  #client: Client | undefined
  #lose: (() => void) | undefined

  constructor(open: Database['openClient'], listener: ChangeListener) {
    this.#open = open
    this.#listener = listener
    this.#running = this.#run()
  }

  known(revisions: Revisions): void {
    this.#name = nameOf(revisions)
    // Also finds out whether the connection is still there.
    const shown = this.#client?.query(`select set_config('application_name', $1, false)`, [this.#name])
    shown?.catch(() => this.#lose?.())
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#lose?.()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      await this.#listen().catch((error: unknown) => signal.aborted || this.#listener.onError(error))
      await sleep(RECONNECT_MS, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  async #listen(): Promise<void> {
    const lost = Promise.withResolvers<void>()
    this.#lose = lost.resolve
    const client = this.#open(this.#name)
    // Whoever watches also polls, and reports a database that stays away.
    client.on('error', () => lost.resolve()).on('end', () => lost.resolve())
    client.on('notification', () => this.#listener.onChange())
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      this.#client = client
      // Whatever changed before is announced to nobody.
      if (!this.#closing.signal.aborted) this.#listener.onChange()
      await lost.promise
    } finally {
      this.#client = undefined
      await Promise.race([client.end().catch(() => undefined), sleep(CLOSE_MS, undefined, { ref: false })])
    }
  }
}
