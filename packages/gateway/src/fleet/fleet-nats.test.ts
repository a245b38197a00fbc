// The same contract as over links in memory, over real ones: packets, confirmations and the turns of a real connection are in between.

import { afterAll, beforeAll, onTestFinished } from 'vitest'
import type { Bus } from '../bus/bus.ts'
import { connectNats } from '../bus/nats-bus.ts'
import { Watchers } from '../testing/watchers.ts'
import { startNats, type TestNats } from '../testing/start-nats.ts'
import { Fleet } from './fleet.ts'
import { describeFleet } from './fleet.contract.ts'
import { fixedPeers } from './peers/testing/fixed-peers.ts'
import { hasteOf } from './post/haste-of.ts'
import type { Message } from './terms/messages.ts'
import { QUIET } from './testing/open-gateways.ts'
import { openPeerLinks, type PeerLinks } from './peers/links/peer-links.ts'

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
  const peers = fixedPeers(names)
  const watchers = new Watchers()
  const joined = await Promise.all(names.map((name) => join(name, version)))
  const options = { ...listeners, ...QUIET, limits: { waitMs } }
  for (const { links } of joined) watch(links, watchers)
  const fleets = joined.map(({ links }) => new Fleet(options, peers.of(links.self), links))
  const isComplete = () => joined.every(({ links }) => names.every((name) => name === links.self || links.isUp(name)))
  await watchers.until('all links are up', isComplete, OPEN_MS)
  return fleets
})

async function join(self: string, version: string): Promise<{ bus: Bus; links: PeerLinks<Message> }> {
  const onFault = (error: unknown) => {
    throw error
  }
  const bus = await connectNats(nats.url, { name: self, onFault })
  onTestFinished(() => bus.close())
  return { bus, links: openPeerLinks<Message>({ bus, self, version, hasteOf, onFault }) }
}

/** Looks again whenever a peer link is up. */
function watch(links: PeerLinks<Message>, watchers: Watchers): void {
  const listen = links.listen.bind(links)
  links.listen = (listener) =>
    listen({
      ...listener,
      up: (peer) => {
        listener.up(peer)
        watchers.look()
      },
    })
}
