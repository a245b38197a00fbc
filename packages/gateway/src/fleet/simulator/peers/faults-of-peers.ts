// Peers that break one rule each, like the gateways in `../faults.ts`.

import type { PeerRow } from '../../../store/peers.ts'
import { PeersCore } from '../../peers/core/peers-core.ts'
import type { QueryResult, Query } from '../../peers/core/queries.ts'
import { Removals } from '../../peers/core/removals.ts'
import type { Fault } from '../actors/simulated-gateway.ts'
import { change } from '../change.ts'
import { Database } from '../service/database.ts'

type CoreParts = PeersCore['parts']

/** A core that has broken parts. */
function withParts(breakSome: (parts: CoreParts) => void): Fault {
  return {
    core: (options) => {
      const core = new PeersCore(options)
      breakSome(core.parts)
      return core
    },
  }
}

/** Takes the rows of the others for something else. */
function misreads(other: (row: PeerRow) => Partial<PeerRow>): (parts: CoreParts) => void {
  return ({ removals }) =>
    change(
      removals,
      'observe',
      (observe) => (rows, now, isAnew) =>
        observe(
          rows.map((row) => ({ ...row, ...other(row) })),
          now,
          isAnew,
        ),
    )
}

function withDatabase(breakIt: (database: Database) => void): Fault {
  return {
    database: () => {
      const database = new Database()
      breakIt(database)
      return database
    },
  }
}

const ANY_SERVER = { id: 'any' }

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
  override ended(answer: QueryResult, now: number): void {
    super.ended(answer, wallClock(now))
  }
}

function wallClock(now: number): number {
  return now + (Math.floor(now / 20_000) % 2) * 60_000
}

export const FAULTS_AMONG_PEERS: Record<string, Fault> = {
  DoesNotWaitForAcknowledgements: withParts(({ rights }) => (rights.takeUp = (view) => rights.settle(view))),
  AcknowledgesBeforeStopping: withParts(({ rights }) => (rights.takeUp = () => {})),
  KeepsRightsAfterRemoval: withParts(({ rights }) => (rights.drop = () => {})),
  CountsLeadershipFromTheAnswer: withParts(({ leadership }) => {
    let last = 0
    change(leadership, 'isValid', (isValid) => (now) => isValid((last = now)))
    change(leadership, 'renewed', (renewed) => (_startedAt, turn, peers) => renewed(last, turn, peers))
  }),
  CountsVouchesFromHearingThem: withParts(({ leadership }) => {
    let [last, heartbeat] = [0, 0]
    const sent = leadership.heartbeatSent.bind(leadership)
    leadership.heartbeatSent = (sequence, now) => sent((heartbeat = sequence), now)
    change(leadership, 'isValid', (isValid) => (now) => isValid((last = now)))
    change(leadership, 'vouched', (vouched) => (peer) => {
      sent(heartbeat, last)
      vouched(peer, heartbeat)
    })
  }),
  GoesOnAloneWithoutDatabase: withParts(({ leadership }) => {
    let aloneSince = Number.NEGATIVE_INFINITY
    change(leadership, 'renewed', (renewed) => (startedAt, turn, peers) => {
      aloneSince = peers.length === 0 ? startedAt : Number.NEGATIVE_INFINITY
      renewed(startedAt, turn, peers)
    })
    change(leadership, 'isValid', (isValid) => (now) => isValid(now) || now - aloneSince < 15_000)
  }),
  IgnoresClaims: withParts(({ leadership }) => (leadership.claimed = () => {})),
  IgnoresBreaks: withParts(({ leadership }) => (leadership.disconnected = () => {})),
  TrustsUnprovenConnections: withParts(({ session }) =>
    change(session, 'begin', (begin) => (server, nextSequence) => {
      begin(server, nextSequence)
      session.heardOwn(nextSequence)
    }),
  ),
  ClaimsOnEveryServer: withParts((parts) => {
    change(parts.removals, 'listClaimable', (list) => (self) => list(self, ANY_SERVER))
    misreads(() => ({ bus: ANY_SERVER }))(parts)
  }),
  RemovesAfterAnOutage: withParts(({ removals }) => {
    change(removals, 'observe', (observe) => (rows, now) => observe(rows, now, false))
    removals.promise = () => {}
  }),
  VouchesForTheCondemned: withParts(({ removals }) => (removals.condemn = () => {})),
  RemovesOutOfSight: withParts(misreads(() => ({ peers: [] }))),
  IsImpatient: {
    core: (options) => {
      const core = new PeersCore(options)
      const timing = { ...options.timing, leadershipMs: options.timing.leadershipMs - 500 }
      core.parts.removals = new Removals(timing, options.id, core.parts.fence)
      return core
    },
  },
  UsesWallClock: { core: (options) => new UsesWallClock(options) },
  ReusesGenerations: withDatabase((database) =>
    change(database, 'run', (run) => (query) => {
      const { generation } = database
      const answer = run(query)
      if (query.name === 'leave' || query.name === 'remove') database.generation = generation
      return answer
    }),
  ),
  /** The schedulers of a generation depend on when its rows were read. */
  SetsAsideInTheSameGeneration: withDatabase((database) =>
    change(database, 'isolated', (isolated) => (decision) => {
      const { generation } = database
      isolated(decision)
      database.generation = generation
    }),
  ),
  NeverSetsAside: withParts(({ isolated }) => (isolated.observe = () => {})),
  /** Of two gateways, nobody can say then which one is cut off. */
  CountsThoseWithoutTheBus: withParts(({ isolated }) =>
    change(isolated, 'observe', (observe) => ({ generation, rows }, now) => {
      observe({ generation, rows: rows.map((row) => ({ ...row, hears: [...row.hears, row.number] })) }, now)
    }),
  ),
  IsNeverHeardAgain: withParts(({ hearing }) => {
    const missed = new Set<number>()
    change(hearing, 'list', (list) => (peers, self, now) => {
      const heard = list(peers, self, now)
      for (const number of peers) if (!heard.includes(number)) missed.add(number)
      return heard.filter((number) => !missed.has(number))
    })
  }),
}
