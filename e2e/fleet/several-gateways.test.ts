// Three real gateways with PostgreSQL and NATS. Every client uses one gateway, every device another one.

import { checkNumberedText } from '@hearth/gateway/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { expectCompletion } from '../harness/expect-reply.ts'
import { startGateway } from '../harness/gateway-process.ts'
import { FULL, HI } from '../harness/start-system.ts'
import { startFleetWorld } from './fleet-world.ts'

const TOKENS = 5
const ASK = { model: FULL, messages: HI }

const world = await startFleetWorld()
afterAll(async () => world[Symbol.asyncDispose]())

async function askThrough(origin: string): Promise<number> {
  const { choices } = expectCompletion(await world.client(origin).post(ASK))
  return checkNumberedText(choices[0]!.message.content)
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

  it('[N62] go on when one of them is killed', async () => {
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

it('[N60b] a gateway that cannot reach NATS says so and does not start', async () => {
  const settings = { DATABASE_URL: world.fleet.databaseUrl, NATS_URL: 'nats://hearth:secret@127.0.0.1:1' }
  const start = startGateway(settings)
  await expect(start).rejects.toThrow(/ended with code 1.*NATS/s)
  await expect(start).rejects.not.toThrow('secret')
})
