// The same contract as over links in memory, over real ones: packets, confirmations and the turns of a real connection are in between.

import { afterAll, beforeAll, describe, onTestFinished } from 'vitest'
import { connectNats } from '../bus/nats-bus.ts'
import { hasNats, startNats, type TestNats } from '../testing/start-nats.ts'
import { describeFleet } from './fleet.contract.ts'
import { fixedPeers } from './peers/testing/fixed-peers.ts'
import { openOver } from './testing/open-gateways.ts'

let nats: TestNats
let worlds = 0

describe.runIf(await hasNats('the fleet over NATS'))('with a server', () => {
  beforeAll(async () => {
    nats = await startNats()
  })
  afterAll(() => nats.stop())

  describeFleet('3 gateways over NATS', (setup) => {
    // Tests that run one after the other on one server don't hear each other.
    const version = `world-${++worlds}`
    const names = [1, 2, 3].map((number) => `${version}-gateway-${number}`)
    return openOver(connect, setup, fixedPeers(names), names, undefined, version)
  })
})

async function connect(name: string) {
  const onFault = (error: unknown) => {
    throw error
  }
  const bus = await connectNats(nats.url, { name, onFault })
  onTestFinished(() => bus.close())
  return bus
}
