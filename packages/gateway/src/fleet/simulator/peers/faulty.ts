// Peers that break one rule each. A simulator that lets one of them pass proves nothing.

import type { BusServer } from '../../../bus/bus.ts'
import { Hearing } from '../../peers/core/hearing.ts'
import { Mandate } from '../../peers/core/mandate.ts'
import { PeersCore, type CoreOptions } from '../../peers/core/peers-core.ts'
import type { CoreParts } from '../../peers/core/parts.ts'
import { Rights } from '../../peers/core/rights.ts'
import type { PeerRow, PeerSnapshot, PeerState, SetAsideList } from '../../../store/store.ts'
import type { Answer, Query } from '../../peers/core/queries.ts'
import type { Timing } from '../../peers/core/timing.ts'
import type { View } from '../../peers/core/view.ts'
import { Session } from '../../peers/core/session.ts'
import { SetAside } from '../../peers/core/set-aside.ts'
import { Removals, type Self } from '../../peers/core/removals.ts'
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

class CountsMandateFromTheAnswer extends Mandate {
  #now = 0

  override isValid(now: number): boolean {
    this.#now = now
    return super.isValid(now)
  }

  override renewed(_startedAt: number, turn: number, peers: readonly number[]): void {
    super.renewed(this.#now, turn, peers)
  }
}

class CountsVouchesFromHearing extends Mandate {
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

class GoesOnAloneWithoutDatabase extends Mandate {
  #aloneSince: number | undefined

  override renewed(startedAt: number, turn: number, peers: readonly number[]): void {
    this.#aloneSince = peers.length === 0 ? startedAt : undefined
    super.renewed(startedAt, turn, peers)
  }

  override isValid(now: number): boolean {
    return super.isValid(now) || (this.#aloneSince !== undefined && now - this.#aloneSince < 15_000)
  }
}

class IgnoresClaims extends Mandate {
  override claimed(): void {}
}

class IgnoresBreaks extends Mandate {
  override disconnected(): void {}
}

class TrustsUnprovenConnections extends Session {
  override begin(server: BusServer, nextSequence: number): void {
    super.begin(server, nextSequence)
    this.heardOwn(nextSequence)
  }
}

class ClaimsOnEveryServer extends Removals {
  override listClaimable(self: Self): PeerState[] {
    return super.listClaimable(self, ANY_SERVER)
  }

  override observe(rows: readonly PeerRow[], now: number): void {
    super.observe(
      rows.map((row) => ({ ...row, bus: ANY_SERVER })),
      now,
    )
  }
}

const ANY_SERVER: BusServer = { id: 'any' }

class RemovesAfterAnOutage extends Removals {
  override startAnew(): void {}
  override promise(): void {}
}

class VouchesForTheCondemned extends Removals {
  override condemn(): void {}
}

class RemovesOutOfSight extends Removals {
  override observe(rows: readonly PeerRow[], now: number): void {
    super.observe(
      rows.map((row) => ({ ...row, peers: [] })),
      now,
    )
  }
}

class IsImpatient extends Removals {
  constructor(timing: Timing) {
    super({ ...timing, mandateMs: timing.mandateMs - 500 })
  }
}

/** A clock that is set by a minute now and then. */
class UsesWallClock extends PeersCore {
  override maySchedule(organization: string, now: number): boolean {
    return super.maySchedule(organization, wallClock(now))
  }
  override get dueAt(): number | undefined {
    return super.dueAt === undefined ? undefined : 0
  }
  override begin(now: number): Query {
    return super.begin(wallClock(now))
  }
  override ended(answer: Answer, now: number): void {
    super.ended(answer, wallClock(now))
  }
}

function wallClock(now: number): number {
  return now + (Math.floor(now / 20_000) % 2) * 60_000
}

class ReusesGenerations extends Database {
  override run(query: Query): Answer {
    const before = this.generation
    const answer = super.run(query)
    if (query.name === 'leave' || query.name === 'remove') this.generation = before
    return answer
  }
}

/** The schedulers of a generation depend on when its rows were read. */
class SetsAsideInTheSameGeneration extends Database {
  protected override setAside(decision: SetAsideList): void {
    const { generation } = this
    super.setAside(decision)
    this.generation = generation
  }
}

class NeverSetsAside extends SetAside {
  override observe(): void {}
}

/** Of two gateways, nobody can say then which one is cut off. */
class CountsThoseWithoutTheBus extends SetAside {
  override observe({ generation, rows }: PeerSnapshot, now: number): void {
    super.observe({ generation, rows: rows.map((row) => ({ ...row, hears: [...row.hears, row.number] })) }, now)
  }
}

class IsNeverHeardAgain extends Hearing {
  readonly #missed = new Set<number>()

  override list(peers: readonly number[], self: number, now: number): number[] {
    const heard = super.list(peers, self, now)
    for (const number of peers) if (!heard.includes(number)) this.#missed.add(number)
    return heard.filter((number) => !this.#missed.has(number))
  }
}

export const FAULTY: Record<string, () => Pick<SimulationOptions, 'createCore' | 'database'>> = {
  DoesNotWaitForAcknowledgements: withParts(({ id }) => ({ rights: new DoesNotWaitForAcknowledgements(id) })),
  AcknowledgesBeforeStopping: withParts(({ id }) => ({ rights: new AcknowledgesBeforeStopping(id) })),
  KeepsRightsAfterRemoval: withParts(({ id }) => ({ rights: new KeepsRightsAfterRemoval(id) })),
  CountsMandateFromTheAnswer: withParts(({ timing }) => ({ mandate: new CountsMandateFromTheAnswer(timing) })),
  CountsVouchesFromHearing: withParts(({ timing }) => ({ mandate: new CountsVouchesFromHearing(timing) })),
  GoesOnAloneWithoutDatabase: withParts(({ timing }) => ({ mandate: new GoesOnAloneWithoutDatabase(timing) })),
  IgnoresClaims: withParts(({ timing }) => ({ mandate: new IgnoresClaims(timing) })),
  IgnoresBreaks: withParts(({ timing }) => ({ mandate: new IgnoresBreaks(timing) })),
  TrustsUnprovenConnections: withParts(() => ({ session: new TrustsUnprovenConnections() })),
  ClaimsOnEveryServer: withParts(({ timing }) => ({ removals: new ClaimsOnEveryServer(timing) })),
  RemovesAfterAnOutage: withParts(({ timing }) => ({ removals: new RemovesAfterAnOutage(timing) })),
  VouchesForTheCondemned: withParts(({ timing }) => ({ removals: new VouchesForTheCondemned(timing) })),
  RemovesOutOfSight: withParts(({ timing }) => ({ removals: new RemovesOutOfSight(timing) })),
  IsImpatient: withParts(({ timing }) => ({ removals: new IsImpatient(timing) })),
  UsesWallClock: () => ({ createCore: (options) => new UsesWallClock(options) }),
  ReusesGenerations: () => ({ database: new ReusesGenerations() }),
  SetsAsideInTheSameGeneration: () => ({ database: new SetsAsideInTheSameGeneration() }),
  NeverSetsAside: withParts(({ timing }) => ({ setAside: new NeverSetsAside(timing) })),
  CountsThoseWithoutTheBus: withParts(({ timing }) => ({ setAside: new CountsThoseWithoutTheBus(timing) })),
  IsNeverHeardAgain: withParts(({ timing }) => ({ hearing: new IsNeverHeardAgain(timing) })),
}

/** Of a core that has one broken part. */
function withParts(breakSome: (options: CoreOptions) => Partial<CoreParts>): (typeof FAULTY)[string] {
  return () => ({
    createCore: (options) => new PeersCore({ ...options, parts: { ...options.parts, ...breakSome(options) } }),
  })
}
