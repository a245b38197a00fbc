// Three real gateways with PostgreSQL and NATS. Every client uses one gateway, every device another one.

import { checkNumberedText, createKey, openStore, startNats } from '@hearth/gateway/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { Client } from '../harness/client/client.ts'
import { expectCompletion } from '../harness/client/expect-reply.ts'
import { startGateway } from '../harness/processes/gateway-process.ts'
import { FULL, HI } from '../harness/start-system.ts'
import { copyGateway } from './copy-gateway.ts'
import { startFleetWorld } from './fleet-world.ts'

const TOKENS = 5
const ASK = { model: FULL, messages: HI }

const world = await startFleetWorld()
afterAll(async () => world[Symbol.asyncDispose]())

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

describe('three gateways', () => {
  it('[N60] [N61] answer a request on any of them with a device that was just added on any other', async () => {
    for (const home of world.fleet.replicas) {
      await using device = await world.connectDevice(home.origin, { tokens: TOKENS })
      for (const front of world.fleet.replicas) expect(await askThrough(front.origin)).toBe(TOKENS)
      await device.close()
    }
  })

  it('[N60] stream between two gateways', async () => {
    const [home, front] = world.fleet.replicas
    await using device = await world.connectDevice(home!.origin, { tokens: 500 })
    const { texts, done } = await world.client(front!.origin).stream(ASK)
    expect([checkNumberedText(texts[0]!), done]).toEqual([500, true])
    await device.close()
  })

  it('count what any of them answered for a monthly budget, also after a kill', async () => {
    const [front, ...others] = world.fleet.replicas
    await using device = await world.connectDevice(front!.origin, { tokens: 500 })
    const secret = await addKey({ tokensPerMonth: 400 })
    const ask = async (origin: string) => (await new Client(`${origin}/openai/v1`, secret).post(ASK)).status
    expect(await ask(front!.origin)).toBe(200)
    for (const { origin } of others) await expect.poll(() => ask(origin)).toBe(429)
    front!.signal('SIGKILL')
    await front!.exited
    await device.close()
    const back = await world.fleet.replace(0)
    for (const { origin } of [back, ...others]) expect(await ask(origin)).toBe(429)
  })

  it('go on when one of them is killed', async () => {
    const [killed, ...others] = world.fleet.replicas
    killed!.signal('SIGKILL')
    await killed!.exited
    await using device = await world.connectDevice(others[0]!.origin, { tokens: TOKENS })
    for (const front of others) expect(await askThrough(front.origin)).toBe(TOKENS)
    await device.close()
    const back = await world.fleet.replace(0)
    await using other = await world.connectDevice(others[1]!.origin, { tokens: TOKENS })
    expect(await askThrough(back.origin)).toBe(TOKENS)
    await other.close()
  })
})

describe('a gateway that does not fit the others', () => {
  const servers = () => ({ DATABASE_URL: world.fleet.databaseUrl, NATS_URL: world.fleet.nats.url })

  it('[N45] is left out if its messages have another version, and says so', async () => {
    await using checkout = await copyGateway((text) =>
      text.replace("MESSAGES_VERSION = '", "MESSAGES_VERSION = 'other-"),
    )
    await using other = await startGateway(servers(), [], checkout.folder)
    await other.heard('gateways with another version of messages are running: this one serves nothing')
    const reasons = [expect.stringContaining('has not joined the others') as string]
    expect(await readiness(other.origin)).toMatchObject({ reasons })
    await using device = await world.connectDevice(world.fleet.replicas[1]!.origin, { tokens: TOKENS })
    for (const { origin } of world.fleet.replicas) expect(await askThrough(origin)).toBe(TOKENS)
    await device.close()
  })

  it('[T16a] does not start with a wrong NATS password, and does not show it', async () => {
    const nats = await startNats({ user: 'hearth', password: 'right' })
    const url = nats.url.replace('right', 'wrong-secret')
    const start = startGateway({ ...servers(), NATS_URL: url })
    await expect(start).rejects.toThrow(/ended with code 1.*NATS at .* rejects the user name, password or token/s)
    await expect(start).rejects.not.toThrow('wrong-secret')
    await nats.stop()
  })
})

it('[T16a] a gateway that cannot reach NATS says so and does not start', async () => {
  const settings = { DATABASE_URL: world.fleet.databaseUrl, NATS_URL: 'nats://hearth:secret@127.0.0.1:1' }
  const start = startGateway(settings)
  await expect(start).rejects.toThrow(/ended with code 1.*NATS/s)
  await expect(start).rejects.not.toThrow('secret')
})

async function readiness(origin: string): Promise<unknown> {
  return (await world.client().call(`${origin}/readyz`, { key: null })).json
}
