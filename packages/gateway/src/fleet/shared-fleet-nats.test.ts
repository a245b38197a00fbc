// The same contract as over wires in memory, over real ones: packets, confirmations and the turns of a real connection are in between.

import { afterAll, beforeAll, onTestFinished } from 'vitest'
import type { Bus } from '../bus/bus.ts'
import { connectNats } from '../bus/nats-bus.ts'
import { Watchers } from '../testing/watchers.ts'
import { startNats, type TestNats } from '../testing/start-nats.ts'
import { describeFleet } from './fleet.contract.ts'
import { fixedPeers } from './peers/testing/fixed-peers.ts'
import { hasteOf } from './peer-link/haste-of.ts'
import type { Message } from './peer-link/messages.ts'
import { SharedFleet } from './shared-fleet.ts'
import { openWires, type Wires } from './peer-link/wires.ts'

const OPEN_MS = 60_000
let nats: TestNats
let worlds = 0

beforeAll(async () => {
  nats = await startNats()
})
afterAll(() => nats.stop())

describeFleet('3 gateways over NATS', async ({ waitMs, ...listeners }) => {
  // Tests that run one after the other on one server don't hear each other.
  const version = `world-${++worlds}`
  const names = [1, 2, 3].map((number) => `${version}-gateway-${number}`)
  const members = fixedPeers(names)
  const watchers = new Watchers()
  const joined = await Promise.all(names.map((name) => join(name, version)))
  const fleets = joined.map(
    ({ wires }) =>
      new SharedFleet({
        peers: members.of(wires.self),
        onAccess: async () => undefined,
        wires: watched(wires, watchers),
        pingIntervals: { busyMs: 5_000, idleMs: 15_000 },
        limits: { waitMs },
        compareMs: 5,
        onModels: () => {},
        ...listeners,
      }),
  )
  const isComplete = () => joined.every(({ wires }) => names.every((name) => name === wires.self || wires.isUp(name)))
  await watchers.until('all wires are up', isComplete, OPEN_MS)
  return fleets
})

async function join(self: string, version: string): Promise<{ bus: Bus; wires: Wires<Message> }> {
  const onFault = (error: unknown) => {
    throw error
  }
  const bus = await connectNats(nats.url, { name: self, onFault })
  onTestFinished(() => bus.close())
  return { bus, wires: openWires<Message>({ bus, self, version, hasteOf, onFault }) }
}

/** Looks again whenever a wire is up. */
function watched(wires: Wires<Message>, watchers: Watchers): Wires<Message> {
  return {
    self: wires.self,
    send: (to, message) => wires.send(to, message),
    isUp: (replica) => wires.isUp(replica),
    backlog: (replica) => wires.backlog(replica),
    break: (replica, why) => wires.break(replica, why),
    stats: () => wires.stats(),
    close: () => wires.close(),
    listen: (listener) =>
      wires.listen({
        ...listener,
        up: (replica) => {
          listener.up(replica)
          watchers.look()
        },
      }),
  }
}
