// Several gateways with a real database, on a virtual clock: time passes only while no query is running, so tests neither wait nor
// depend on how busy the machine is.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Bus, BusServer } from '../../../bus/bus.ts'
import { MemoryBus } from '../../../bus/testing/memory-bus.ts'
import { Process } from '../../simulator/service/process.ts'
import { VirtualClock } from '../../simulator/virtual-clock.ts'
import { openStore } from '../../../store/open-store.ts'
import type { PeerStore } from '../../../store/peers.ts'
import type { Store } from '../../../store/store.ts'
import { LivePeers } from '../live-peers.ts'

const ORGANIZATIONS = Array.from({ length: 30 }, (_, index) => `organization-${index}`)
const STEP_MS = 50

export interface Gateway {
  name: string
  peers: LivePeers
  /** How its queries end. */
  database: 'there' | 'away' | 'silent'
  bus: Bus
  process: Process
  messages: string[]
}

export class PeersWorld {
  readonly bus: MemoryBus
  /** The one that new gateways connect to. */
  server: BusServer = { id: 'server-1', name: 'nats' }
  readonly gateways: Gateway[] = []
  readonly #clock = new VirtualClock()
  readonly #url: string
  readonly #stores: Store[] = []
  readonly #running = new Set<Promise<unknown>>()

  constructor(url: string) {
    this.#url = url
    this.bus = new MemoryBus({ clock: this.#clock.asClock() })
  }

  get now(): number {
    return this.#clock.now
  }

  /** Starts a gateway and waits until everyone agrees. */
  async add(name: string, version = '1'): Promise<Gateway> {
    const store = await openStore(this.#url)
    this.#stores.push(store)
    const process = new Process(this.#clock, { offsetMs: 0, speed: 1 })
    const bus = this.bus.connect(name, this.server)
    const gateway: Gateway = { name, database: 'there', bus, process, messages: [], peers: undefined! }
    const note = (_: object, message: string) => gateway.messages.push(message)
    gateway.peers = new LivePeers({
      id: name,
      version,
      graceMs: 120_000,
      store: this.#faulty(store, gateway),
      bus,
      clock: process.clock,
      log: { info: note, warn: note },
    })
    this.gateways.push(gateway)
    return gateway
  }

  /** Nothing more is heard of it, as if the process had been killed. */
  kill(gateway: Gateway): void {
    gateway.database = 'silent'
    gateway.process.isDead = true
    void gateway.bus.close()
    this.gateways.splice(this.gateways.indexOf(gateway), 1)
  }

  /** It gets no time, and reads what was sent to it when it goes on. */
  stop({ name, process }: Gateway): void {
    process.stop()
    this.bus.stall(name)
  }

  goOn({ name, process }: Gateway): void {
    process.goOn()
    this.bus.resume(name)
  }

  killAll(): void {
    while (this.gateways[0]) this.kill(this.gateways[0])
  }

  async pass(ms: number): Promise<void> {
    for (const end = this.now + ms; this.now < end;) await this.#step()
  }

  /** Lets time pass until the condition holds. Returns how much. */
  async until(isSo: () => boolean): Promise<number> {
    const start = this.now
    while (!isSo()) {
      await this.#step()
      if (this.now - start > 600_000) throw new Error('The expected state never came')
    }
    return this.now - start
  }

  /** Each organization and those who may schedule it. */
  schedulers(): string[][] {
    return ORGANIZATIONS.map((organization) =>
      this.gateways.filter(({ peers }) => peers.maySchedule(organization)).map(({ name }) => name),
    )
  }

  isSettled(): boolean {
    const generations = new Set(this.gateways.map(({ peers }) => peers.view.generation))
    return generations.size === 1 && this.schedulers().every((schedulers) => schedulers.length === 1)
  }

  async close(): Promise<void> {
    await Promise.all(this.#stores.map((store) => store.close()))
  }

  async #step(): Promise<void> {
    const end = this.now + STEP_MS
    do {
      while (this.#running.size > 0) await Promise.allSettled(this.#running)
      await nextTurn()
      if (this.#clock.next <= end) this.#clock.advance()
    } while (this.#running.size > 0 || this.#clock.next <= end)
    this.#clock.now = end
  }

  #faulty(store: Store, gateway: Gateway): PeerStore {
    const run = <Result>(query: () => Promise<Result>): Promise<Result> => {
      if (gateway.database === 'away') return Promise.reject(new Error('the database is away'))
      if (gateway.database === 'silent') return new Promise(() => {})
      const running = query()
      this.#running.add(running)
      const remove = () => void this.#running.delete(running)
      running.then(remove, remove)
      return running
    }
    return {
      joinPeers: (peer) => run(() => store.joinPeers(peer)),
      renewPeer: (renewal) => run(() => store.renewPeer(renewal)),
      removePeers: (rows) => run(() => store.removePeers(rows)),
      isolatePeers: (decision) => run(() => store.isolatePeers(decision)),
      leavePeers: (number) => run(() => store.leavePeers(number)),
      takeLinkEpochs: (count) => run(() => store.takeLinkEpochs(count)),
    }
  }
}
