// Says in the log what changed about the peers, once per change.

import type { PeersCore } from './core/peers-core.ts'
import type { QueryResult } from './core/queries.ts'

export interface PeersLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

export class PeersNews {
  readonly #log: PeersLog
  readonly #self: { gateway: string; version: string }
  #isRefused = false
  #hadLeadership = false
  #wasWithoutDatabase = false
  #ids: readonly string[] = []
  #isolated = ''

  constructor(log: PeersLog, self: { gateway: string; version: string }) {
    this.#log = log
    this.#self = self
  }

  ended(answer: QueryResult): void {
    if (answer.name === 'gone')
      this.#log.warn(this.#self, 'this gateway was away for too long and was removed: joining again')
    if (answer.name === 'refused' && !this.#isRefused) {
      const others = answer.snapshot.rows.map(({ id, version }) => ({ gateway: id, version }))
      this.#log.warn(
        { ...this.#self, others },
        'gateways with another version of messages are running: this one serves nothing until they have stopped',
      )
    }
    if (answer.name !== 'failed') this.#isRefused = answer.name === 'refused'
  }

  /** Call after everything that may have changed something. A query that failed says why. */
  look(core: PeersCore, now: number, error?: unknown): void {
    this.#lookAtAll(core)
    this.#lookAtSilent(core)
    this.#lookAtDatabase(core.isWithoutDatabase(now), error)
    const hasLeadership = core.hasLeadership(now)
    if (this.#hadLeadership && !hasLeadership && !core.hasLeft)
      this.#log.warn(this.#self, 'the leadership has run out: this gateway schedules nothing until it is renewed')
    this.#hadLeadership = hasLeadership
  }

  #lookAtDatabase(isAway: boolean, error: unknown): void {
    if (isAway === this.#wasWithoutDatabase || (isAway && error === undefined)) return
    this.#wasWithoutDatabase = isAway
    if (!isAway) return this.#log.info({}, 'the leadership is renewed again')
    const fields = { error: error instanceof Error ? error.message : String(error) }
    this.#log.warn(fields, 'the leadership cannot be renewed: schedulers continue while all gateways hear each other')
  }

  #lookAtSilent({ view: { all, generation } }: PeersCore): void {
    const isolated = all.filter(({ isIsolated }) => isIsolated).map(({ id }) => id)
    const before = this.#isolated
    this.#isolated = isolated.join()
    if (before === this.#isolated) return
    const fields = { ...this.#self, generation, isolated }
    if (isolated.length === 0) this.#log.info(fields, 'all gateways hear each other again')
    else this.#log.warn(fields, 'the others do not hear some gateways on the bus: these schedule nothing until they do')
  }

  #lookAtAll({ view: { all, generation }, number }: PeersCore): void {
    const ids = all.map(({ id }) => id)
    const came = ids.filter((id) => !this.#ids.includes(id))
    const gone = this.#ids.filter((id) => !ids.includes(id))
    this.#ids = ids
    if (came.length + gone.length > 0)
      this.#log.info({ ...this.#self, number, generation, came, gone, peers: ids.length }, 'peers changed')
  }
}
