// Says in the log what changed about the members, once per change.

import type { MembersCore } from './core/members-core.ts'
import type { Outcome } from './core/statements.ts'

export interface MembershipLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

export class MembershipNews {
  readonly #log: MembershipLog
  readonly #self: { replica: string; version: string }
  #isRefused = false
  #hadLease = false
  #wasWithoutDatabase = false
  #ids: readonly string[] = []
  #setAside = ''

  constructor(log: MembershipLog, self: { replica: string; version: string }) {
    this.#log = log
    this.#self = self
  }

  ended(outcome: Outcome): void {
    if (outcome.name === 'gone')
      this.#log.warn(this.#self, 'this gateway was away for too long and was removed from the members: joining again')
    if (outcome.name === 'refused' && !this.#isRefused) {
      const others = outcome.snapshot.rows.map(({ id, version }) => ({ replica: id, version }))
      this.#log.warn(
        { ...this.#self, others },
        'gateways with another version of messages are running: this one serves nothing until they have stopped',
      )
    }
    if (outcome.name !== 'failed') this.#isRefused = outcome.name === 'refused'
  }

  failed(error: unknown, core: MembersCore, now: number): void {
    if (this.#wasWithoutDatabase || !core.isWithoutDatabase(now)) return
    this.#wasWithoutDatabase = true
    const fault = error instanceof Error ? error.message : String(error)
    this.#log.warn({ error: fault }, 'the lease cannot be renewed: owners go on while all gateways hear each other')
  }

  /** Call after everything that may have changed something. */
  look(core: MembersCore, now: number): void {
    this.#lookAtMembers(core)
    this.#lookAtSilent(core)
    if (this.#wasWithoutDatabase && !core.isWithoutDatabase(now)) {
      this.#wasWithoutDatabase = false
      this.#log.info({}, 'the lease is renewed again')
    }
    const hasLease = core.hasLease(now)
    if (this.#hadLease && !hasLease && !core.hasLeft)
      this.#log.warn(this.#self, 'the lease has run out: this gateway schedules nothing until it is renewed')
    this.#hadLease = hasLease
  }

  #lookAtSilent({ members, generation }: MembersCore): void {
    const setAside = members.filter(({ isSetAside }) => isSetAside).map(({ id }) => id)
    const before = this.#setAside
    this.#setAside = setAside.join()
    if (before === this.#setAside) return
    const fields = { ...this.#self, generation, setAside }
    if (setAside.length === 0) this.#log.info(fields, 'all gateways hear each other again')
    else this.#log.warn(fields, 'the others do not hear some gateways on the bus: these schedule nothing until they do')
  }

  #lookAtMembers({ members, generation, number }: MembersCore): void {
    const ids = members.map(({ id }) => id)
    const came = ids.filter((id) => !this.#ids.includes(id))
    const gone = this.#ids.filter((id) => !ids.includes(id))
    this.#ids = ids
    if (came.length + gone.length > 0)
      this.#log.info({ ...this.#self, number, generation, came, gone, members: ids.length }, 'members changed')
  }
}
