// Three gateways are replaced one after the other while clients and devices use them through a balancer. Then two others join, whose clocks are
// wrong.

import { checkNumberedText } from '@hearth/gateway/testing'
import { afterAll, expect, it } from 'vitest'
import { expectCompletion } from '../harness/client/expect-reply.ts'
import { startGateway } from '../harness/processes/gateway-process.ts'
import { FULL, HI } from '../harness/start-system.ts'
import { SentRequest } from './chaos/sent-request.ts'
import { Load } from './chaos/load.ts'
import { SteadyDevice } from './chaos/steady-device.ts'
import { startFleetWorld } from './fleet-world.ts'

const TOKENS = 80
const PLAN = { tokens: TOKENS, intervalMs: 8, reportsTokens: true }

const world = await startFleetWorld({ READY_GRACE_MS: '5000', DRAIN_MS: '120000' }, true)
afterAll(async () => world[Symbol.asyncDispose]())

async function askThrough(origin: string): Promise<number> {
  const { choices } = expectCompletion(await world.client(origin).post({ model: FULL, messages: HI }))
  return checkNumberedText(choices[0]!.message.content)
}

async function readiness(origin: string): Promise<unknown> {
  return (await world.client().call(`${origin}/readyz`, { key: null })).json
}

it('a rolling restart fails no request', async () => {
  const { fleet } = world
  const problems: string[] = []
  await using devices = new AsyncDisposableStack()
  for (let index = 0; index < 4; index++) {
    const credential = await world.enrol()
    const choose = () => fleet.origin
    devices.use(
      new SteadyDevice({ credential, slots: 4, plan: () => PLAN, choose, onProblem: (what) => problems.push(what) }),
    )
  }
  const asked: SentRequest[] = []
  const load = new Load(8, () => {
    const isStream = asked.length % 4 > 0
    const next = new SentRequest({ client: world.client(), name: `question ${asked.length}`, tokens: TOKENS, isStream })
    asked.push(next)
    return next
  })
  await load.start()
  for (const [index, replica] of [...fleet.replicas].entries()) {
    replica.signal('SIGTERM')
    expect(await replica.exited).toBe(0)
    await fleet.replace(index)
  }
  await load.stop()
  expect(problems).toEqual([])
  expect(asked.map(({ end }) => end).filter((end) => end?.kind !== 'done')).toEqual([])
})

it('a gateway takes part if its clock is a minute ahead or behind, and says that it is', async () => {
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

/** A module that moves the clock of the process that loads it. */
function shiftClock(ms: number): string {
  const source = `const { now } = Date; const Real = Date
    globalThis.Date = class extends Real { constructor(...of) { if (of.length > 0) super(...of); else super(now() + ${ms}) } static now() { return now() + ${ms} } }`
  return `data:text/javascript,${encodeURIComponent(source)}`
}
