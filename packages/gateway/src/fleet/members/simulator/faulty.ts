// Memberships that break one rule each. A simulator that lets one of them pass proves nothing.

import { Hearing } from '../core/hearing.ts'
import { Lease } from '../core/lease.ts'
import { MembersCore, type CoreOptions, type CoreParts } from '../core/members-core.ts'
import { Rights } from '../core/rights.ts'
import type { ReplicaRow, ReplicaSnapshot, SetAside } from '../../../store/store.ts'
import type { Outcome, Statement } from '../core/statements.ts'
import type { Timing } from '../core/timing.ts'
import type { View } from '../core/view.ts'
import { Verdict } from '../core/verdict.ts'
import { Watch } from '../core/watch.ts'
import { Database } from './database.ts'
import type { SimulationOptions } from './simulate.ts'

class DoesNotWaitForAcknowledgements extends Rights {
  override takeUp(view: View): void {
    this.settle(view)
  }
}

class AcknowledgesBeforeStopping extends Rights {
  override takeUp(): void {}
}

class KeepsRightsAfterRemoval extends Rights {
  override drop(): void {}
}

class CountsLeaseFromTheAnswer extends Lease {
  #now = 0

  override isValid(now: number): boolean {
    this.#now = now
    return super.isValid(now)
  }

  override renewed(_startedAt: number, peers: readonly number[]): void {
    super.renewed(this.#now, peers)
  }
}

class CountsVouchesFromHearing extends Lease {
  #now = 0
  #last = 0

  override heartbeatSent(sequence: number, now: number): void {
    this.#last = sequence
    super.heartbeatSent(sequence, now)
  }

  override isValid(now: number): boolean {
    this.#now = now
    return super.isValid(now)
  }

  override vouched(peer: number): void {
    super.heartbeatSent(this.#last, this.#now)
    super.vouched(peer, this.#last)
  }
}

class GoesOnAloneWithoutDatabase extends Lease {
  #aloneSince: number | undefined

  override renewed(startedAt: number, peers: readonly number[]): void {
    this.#aloneSince = peers.length === 0 ? startedAt : undefined
    super.renewed(startedAt, peers)
  }

  override isValid(now: number): boolean {
    return super.isValid(now) || (this.#aloneSince !== undefined && now - this.#aloneSince < 15_000)
  }
}

class RemovesAfterAnOutage extends Watch {
  override startAnew(): void {}
  override promise(): void {}
}

class VouchesForTheCondemned extends Watch {
  override condemn(): void {}
}

class RemovesOutOfSight extends Watch {
  override observe(rows: readonly ReplicaRow[], now: number): void {
    super.observe(
      rows.map((row) => ({ ...row, peers: [] })),
      now,
    )
  }
}

class IsImpatient extends Watch {
  constructor(timing: Timing) {
    super({ ...timing, leaseMs: timing.leaseMs - 500 })
  }
}

/** A clock that is set by a minute now and then. */
class UsesWallClock extends MembersCore {
  override mayOwn(organization: string, now: number): boolean {
    return super.mayOwn(organization, wallClock(now))
  }
  override get dueAt(): number | undefined {
    return super.dueAt === undefined ? undefined : 0
  }
  override begin(now: number): Statement {
    return super.begin(wallClock(now))
  }
  override ended(outcome: Outcome, now: number): void {
    super.ended(outcome, wallClock(now))
  }
}

function wallClock(now: number): number {
  return now + (Math.floor(now / 20_000) % 2) * 60_000
}

class ReusesGenerations extends Database {
  override run(statement: Statement): Outcome {
    const before = this.generation
    const outcome = super.run(statement)
    if (statement.name === 'leave' || statement.name === 'remove') this.generation = before
    return outcome
  }
}

/** The owners of a generation depend on when its rows were read. */
class SetsAsideInTheSameGeneration extends Database {
  protected override setAside(decision: SetAside): void {
    const { generation } = this
    super.setAside(decision)
    this.generation = generation
  }
}

class NeverSetsAside extends Verdict {
  override observe(): void {}
}

/** Of two gateways, nobody can say then which one is cut off. */
class CountsThoseWithoutTheBus extends Verdict {
  override observe({ generation, rows }: ReplicaSnapshot, now: number): void {
    super.observe({ generation, rows: rows.map((row) => ({ ...row, hears: [...row.hears, row.number] })) }, now)
  }
}

class IsNeverHeardAgain extends Hearing {
  readonly #missed = new Set<number>()

  override list(members: readonly number[], self: number, now: number): number[] {
    const heard = super.list(members, self, now)
    for (const number of members) if (!heard.includes(number)) this.#missed.add(number)
    return heard.filter((number) => !this.#missed.has(number))
  }
}

export const FAULTY: Record<string, () => Pick<SimulationOptions, 'createCore' | 'database'>> = {
  DoesNotWaitForAcknowledgements: withParts(({ id }) => ({ rights: new DoesNotWaitForAcknowledgements(id) })),
  AcknowledgesBeforeStopping: withParts(({ id }) => ({ rights: new AcknowledgesBeforeStopping(id) })),
  KeepsRightsAfterRemoval: withParts(({ id }) => ({ rights: new KeepsRightsAfterRemoval(id) })),
  CountsLeaseFromTheAnswer: withParts(({ timing }) => ({ lease: new CountsLeaseFromTheAnswer(timing) })),
  CountsVouchesFromHearing: withParts(({ timing }) => ({ lease: new CountsVouchesFromHearing(timing) })),
  GoesOnAloneWithoutDatabase: withParts(({ timing }) => ({ lease: new GoesOnAloneWithoutDatabase(timing) })),
  RemovesAfterAnOutage: withParts(({ timing }) => ({ watch: new RemovesAfterAnOutage(timing) })),
  VouchesForTheCondemned: withParts(({ timing }) => ({ watch: new VouchesForTheCondemned(timing) })),
  RemovesOutOfSight: withParts(({ timing }) => ({ watch: new RemovesOutOfSight(timing) })),
  IsImpatient: withParts(({ timing }) => ({ watch: new IsImpatient(timing) })),
  UsesWallClock: () => ({ createCore: (options) => new UsesWallClock(options) }),
  ReusesGenerations: () => ({ database: new ReusesGenerations() }),
  SetsAsideInTheSameGeneration: () => ({ database: new SetsAsideInTheSameGeneration() }),
  NeverSetsAside: withParts(({ timing }) => ({ verdict: new NeverSetsAside(timing) })),
  CountsThoseWithoutTheBus: withParts(({ timing }) => ({ verdict: new CountsThoseWithoutTheBus(timing) })),
  IsNeverHeardAgain: withParts(({ timing }) => ({ hearing: new IsNeverHeardAgain(timing) })),
}

function withParts(parts: (options: CoreOptions) => Partial<CoreParts>): (typeof FAULTY)[string] {
  return () => ({ createCore: (options) => new MembersCore({ ...options, parts: parts(options) }) })
}
