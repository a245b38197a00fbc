// `hearth restart` while clients ask all the time, on new connections and on kept ones, and a stream of a minute runs.

import { join } from 'node:path'
import { openStore } from '@hearth/gateway/testing'
import { expect, it } from 'vitest'
import { Asked } from '../fleet/chaos/asked.ts'
import { Load } from '../fleet/chaos/load.ts'
import { SteadyDevice } from '../fleet/chaos/steady-device.ts'
import { enrolDevice } from '../harness/enrol-device.ts'
import { Client } from '../harness/client/client.ts'
import { runHearth } from '../harness/processes/hearth-command.ts'
import { PAIR, seedStore } from '../harness/seed.ts'
import { clientOf, findParts, GATEWAY, startTiny } from './launched-parts.ts'

const LONG = { tokens: 600, intervalMs: 100 }
const SHORT = { tokens: 8, intervalMs: 5 }

it('[R22] restarts a lone gateway without a failed request, and a stream of a minute goes on', async () => {
  await using launcher = await startTiny('--no-device')
  const { base } = clientOf(launcher)
  const origin = base.replace('/openai/v1', '')
  await using store = Object.assign(await openStore(`embedded:${join(launcher.data, 'gateway')}`), {
    [Symbol.asyncDispose]: () => store.close(),
  })
  const seed = await seedStore(store)
  const client = new Client(base, seed.keys.home)
  const problems: string[] = []
  await using devices = new AsyncDisposableStack()
  for (let index = 0; index < 2; index++) {
    const { credential } = await enrolDevice(store, { origin, organization: seed.organizations.home })
    const plan = (request: { messages: readonly { content?: unknown }[] }) =>
      request.messages[0]!.content === 'long' ? LONG : SHORT
    const choose = () => origin
    devices.use(new SteadyDevice({ credential, slots: 2, plan, choose, onProblem: (what) => problems.push(what) }))
  }
  const long = new Asked({ client, name: 'long', tokens: LONG.tokens, isStream: true })
  expect(await long.first).toBe(true)
  const asked: Asked[] = []
  const load = new Load(4, () => {
    const next = new Asked({ client, name: 'short', tokens: SHORT.tokens, isStream: asked.length % 2 > 0 })
    asked.push(next)
    return next
  })
  await load.start()
  const kept = keepAsking(client)
  const before = await findParts(launcher, GATEWAY)
  const restarted = runHearth(['restart', '--data', launcher.data], { cwd: launcher.data, environment: {} })
  await launcher.heard('gateway has a successor')
  const answered = () => asked.filter(({ end }) => end?.kind === 'done').length
  const enough = answered() + 20
  await expect.poll(answered).toBeGreaterThan(enough)
  // All that by the new one: the old one still has the stream.
  expect([long.end, await findParts(launcher, GATEWAY)]).toEqual([undefined, [...before, expect.any(Number)]])
  expect(await restarted).toMatchObject({ code: 0, error: '' })
  expect(await findParts(launcher, GATEWAY)).not.toEqual(expect.arrayContaining(before))
  await load.stop()
  expect([await long.ended, problems, await kept.stop()]).toEqual([{ kind: 'done' }, [], []])
  expect(asked.map(({ end }) => end).filter((end) => end?.kind !== 'done')).toEqual([])
})

/** On connections that are kept. Returns what was not answered. */
function keepAsking(client: Client): { stop(): Promise<string[]> } {
  const over = new AbortController()
  const failures: string[] = []
  const body = { model: PAIR, messages: [{ role: 'user', content: 'short' }] }
  const ask = async () => {
    while (!over.signal.aborted) {
      const failed = await client.post(body).then(
        ({ status, text }) => (status === 200 ? undefined : text),
        (error: unknown) => `${String(error)} ${String((error as Error).cause)}`,
      )
      if (failed !== undefined) failures.push(failed)
    }
  }
  const asking = ask()
  return {
    async stop() {
      over.abort()
      await asking
      return failures
    },
  }
}
