// Three real gateways with PostgreSQL and NATS. Every client uses one gateway, every device another one.

import { checkNumberedText, createKey, hasNats, openStore } from '@hearth/gateway/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client } from '../harness/client/client.ts'
import { expectCompletion } from '../harness/client/expect-reply.ts'
import { FULL, HI } from '../harness/start-system.ts'
import { startFleetWorld, type FleetWorld } from './fleet-world.ts'

const TOKENS = 5
const ASK = { model: FULL, messages: HI }

let world: FleetWorld

async function askThrough(origin: string): Promise<number> {
  const { choices } = expectCompletion(await world.client(origin).post(ASK))
  return checkNumberedText(choices[0]!.message.content)
}

/** Returns the secret of a new key, which every gateway knows. */
async function addKey(limits: { tokensPerMonth: number }): Promise<string> {
  const store = await openStore(world.fleet.databaseUrl)
  const [home] = await store.listOrganizations()
  const [owner] = await store.listMembers(home!.id)
  const { key, digest, hint } = createKey()
  await store.createKey({ organization: home!.id, createdBy: owner!.person, name: 'counted', digest, hint, limits })
  await store.changesAreKnown()
  await store.close()
  return key
}

describe.runIf(await hasNats('several gateways'))('three gateways', () => {
  beforeAll(async () => {
    world = await startFleetWorld()
  })
  afterAll(async () => world[Symbol.asyncDispose]())

  it('answer a request on any of them with a device that was just added on any other', async () => {
    for (const home of world.fleet.replicas) {
      await using device = await world.connectDevice(home.origin, { tokens: TOKENS })
      for (const front of world.fleet.replicas) expect(await askThrough(front.origin)).toBe(TOKENS)
      await device.close()
    }
  })

  it('stream between two gateways', async () => {
    const [home, front] = world.fleet.replicas
    await using device = await world.connectDevice(home!.origin, { tokens: 500 })
    const { texts, done } = await world.client(front!.origin).stream(ASK)
    expect([checkNumberedText(texts[0]!), done]).toEqual([500, true])
    await device.close()
  })

  it('go on when one of them is killed, and still count what it answered for a monthly budget', async () => {
    const [killed, ...others] = world.fleet.replicas
    const secret = await addKey({ tokensPerMonth: 400 })
    const ask = async (origin: string) => (await new Client(`${origin}/openai/v1`, secret).post(ASK)).status
    const device = await world.connectDevice(killed!.origin, { tokens: 500 })
    expect(await ask(killed!.origin)).toBe(200)
    for (const { origin } of others) await expect.poll(() => ask(origin)).toBe(429)
    killed!.signal('SIGKILL')
    await killed!.exited
    await device.close()
    await using other = await world.connectDevice(others[0]!.origin, { tokens: TOKENS })
    for (const front of others) expect(await askThrough(front.origin)).toBe(TOKENS)
    const back = await world.fleet.replace(0)
    expect(await askThrough(back.origin)).toBe(TOKENS)
    for (const { origin } of [back, ...others]) expect(await ask(origin)).toBe(429)
    await other.close()
  })
})
