// A gateway process in the simulated world: the real fleet, wires and peers, on a clock of its own. While it is stopped, everything
// that happens to it waits and then comes all at once.

import type { Bus } from '../../bus/bus.ts'
import type { Clock } from '../../bus/clock.ts'
import type { SchedulerLimits } from '../scheduler/core/types.ts'
import { LivePeers } from '../peers/live-peers.ts'
import type { Peers } from '../peers/peers.ts'
import type { Message } from '../messages.ts'
import { SharedFleet, type FleetParts } from '../shared-fleet.ts'
import { openWires, type Wires } from '../peer-link/peer-links.ts'
import { storeFor } from './database.ts'
import type { World } from './world.ts'

/** What tests replace by something broken. */
export interface Fault {
  parts?: FleetParts
  peers?: (peers: Peers) => Peers
  wires?: (wires: Wires<Message>, replica: Replica) => Wires<Message>
}

const GRACE_MS = 15_000

/** Nothing in these worlds takes longer than seconds, so a job that reaches one of the long limits has hung. */
export const LIMITS: Partial<SchedulerLimits> = {
  waitMs: 200_000,
  acceptMs: 4_000,
  hedgeMs: 300,
  firstEventMs: 300_000,
  gapMs: 300_000,
  returnMs: 3_000,
  cancelMs: 1_000,
}

/** In an orderly world, nobody gives an attempt up because a message is slow. */
const PATIENT = { ...LIMITS, acceptMs: 100_000, hedgeMs: 100_000 }

const VERSION = '1'

export class Replica {
  readonly name: string
  readonly clock: Clock
  readonly offsetMs: number
  readonly peers: Peers
  readonly fleet: SharedFleet
  isDead = false
  isLeaving = false
  readonly world: World
  readonly #speed: number
  #isStopped = false
  #held: (() => void)[] = []

  constructor(world: World, name: string, fault: Fault) {
    this.name = name
    this.world = world
    // Clocks that differ by minutes, and run at slightly different speeds.
    this.offsetMs = world.random.between(0, 600_000)
    this.#speed = 0.99 + world.random.fraction() / 50
    this.clock = { now: () => this.offsetMs + world.clock.now * this.#speed, after: (ms, act) => this.#after(ms, act) }
    const bus = this.#guarded(world.bus.connect(name))
    this.peers = this.#join(bus, fault)
    this.fleet = this.#open(bus, fault)
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Runs it now, or once the process goes on; never if it is dead. */
  live(act: () => void): void {
    if (this.isDead) return
    if (this.#isStopped) this.#held.push(act)
    else act()
  }

  stop(): void {
    this.#isStopped = true
  }

  goOn(): void {
    this.#isStopped = false
    for (const act of this.#held.splice(0)) this.live(act)
  }

  #after(ms: number, act: () => void): () => void {
    let isOff = false
    const happen = () => this.live(() => (isOff ? undefined : act()))
    const happening = { rank: 0, place: -1, happen }
    this.world.clock.schedule(happening, Math.max(0, ms) / this.#speed)
    return () => {
      isOff = true
      this.world.clock.cancel(happening)
    }
  }

  #join(bus: Bus, { peers = (one) => one }: Fault): Peers {
    const say = (fields: object, message: string) =>
      this.world.say(`${this.name}: ${message} ${JSON.stringify(fields)}`)
    const store = storeFor(this.world, this)
    const log = { info: say, warn: say }
    const { name: id, clock } = this
    const live = new LivePeers({ id, clock, store, bus, log, version: VERSION, graceMs: GRACE_MS })
    live.onChange(() => this.world.say(`${this.name} sees ${live.generation}: ${live.all.map((one) => one.id).join()}`))
    return peers(live)
  }

  #open(bus: Bus, { wires = (one) => one, parts = {} }: Fault): SharedFleet {
    const { clock, peers, name: self } = this
    const onFault = (error: unknown) => this.world.fail(error)
    const opened = openWires<Message>({ bus, self, clock, onFault, version: VERSION })
    return new SharedFleet({
      clock,
      peers,
      parts,
      wires: wires(opened, this),
      limits: this.world.isOrderly ? PATIENT : LIMITS,
      pingIntervals: { busyMs: 1_000, idleMs: 3_000 },
      compareMs: 1_000_000,
      defaults: { defaultsOf: () => undefined, templatedModels: () => [] },
      onAccess: async () => undefined,
      onRecord: () => {},
      onPresence: () => {},
      onConflict: () => {},
      onModels: () => {},
    })
  }

  /** A dead process hears and says nothing, and a stopped one hears later. */
  #guarded(bus: Bus): Bus {
    return {
      get isConnected() {
        return bus.isConnected
      },
      get server() {
        return bus.server
      },
      maxPayload: bus.maxPayload,
      publish: (subject, payload) => (this.isDead ? undefined : bus.publish(subject, payload)),
      subscribe: (subject, listener) =>
        bus.subscribe(subject, (payload, reply) => this.live(() => listener(payload, reply))),
      request: (subject, payload, deadlineMs) => bus.request(subject, payload, deadlineMs),
      flush: () => bus.flush(),
      onState: (listener) => bus.onState((isConnected) => this.live(() => listener(isConnected))),
      stats: () => bus.stats(),
      close: () => bus.close(),
    }
  }
}
