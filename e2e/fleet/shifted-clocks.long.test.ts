// Gateways whose clocks don't agree with those of the others.

import { checkNumberedText } from '@hearth/gateway/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { expectCompletion } from '../harness/client/expect-reply.ts'
import { startGateway } from '../harness/processes/gateway-process.ts'
import { FULL, HI } from '../harness/start-system.ts'
import { startFleetWorld } from './fleet-world.ts'

const TOKENS = 5

const world = await startFleetWorld()
afterAll(async () => world[Symbol.asyncDispose]())

async function askThrough(origin: string): Promise<number> {
  const { choices } = expectCompletion(await world.client(origin).post({ model: FULL, messages: HI }))
  return checkNumberedText(choices[0]!.message.content)
}

async function readiness(origin: string): Promise<unknown> {
  return (await world.client().call(`${origin}/readyz`, { key: null })).json
}

describe('a gateway', () => {
  it('[N60] takes part if its clock is a minute ahead or behind, and says that it is', async () => {
    for (const shift of [60_000, -60_000]) {
      await using shifted = await startGateway(
        { DATABASE_URL: world.fleet.databaseUrl, NATS_URL: world.fleet.nats.url },
        ['--import', shiftClock(shift)],
      )
      const clock = expect.stringMatching(/the clock of this machine is (59|6\d) s (ahead of|behind)/) as string
      await expect.poll(() => readiness(shifted.origin)).toMatchObject({ status: 'degraded', checks: { clock } })
      await using device = await world.connectDevice(shifted.origin, { tokens: TOKENS })
      for (const { origin } of [shifted, ...world.fleet.replicas]) expect(await askThrough(origin)).toBe(TOKENS)
      await device.close()
      await using other = await world.connectDevice(world.fleet.replicas[0]!.origin, { tokens: TOKENS })
      expect(await askThrough(shifted.origin)).toBe(TOKENS)
      await other.close()
    }
  })
})

/** A module that moves the clock of the process that loads it. */
function shiftClock(ms: number): string {
  const source = `const { now } = Date; const Real = Date
    globalThis.Date = class extends Real { constructor(...of) { if (of.length > 0) super(...of); else super(now() + ${ms}) } static now() { return now() + ${ms} } }`
  return `data:text/javascript,${encodeURIComponent(source)}`
}
