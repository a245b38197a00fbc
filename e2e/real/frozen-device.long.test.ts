// A real device app that is stopped like a suspended machine: its connection stays open, and it answers nothing.

import { expect, it } from 'vitest'
import { expectCompletion } from '../harness/client/expect-reply.ts'
import { HI, startSystem } from '../harness/start-system.ts'
import { startTinyDevice } from '../harness/tiny-device.ts'

const MODEL = 'own'

it('[S49] [S31] hands its requests to another device, and serves again when it wakes up', async () => {
  await using system = await startSystem({ devices: 'none' })
  await using device = await startTinyDevice(system, MODEL)
  const ask = () => system.client.post({ model: MODEL, messages: HI, max_tokens: 4 })
  expectCompletion(await ask())
  process.kill(device.pid, 'SIGSTOP')
  const pending = ask()
  await system.metricReaches('hearth_running_jobs', 1)
  const spare = await system.connectDevice({ models: [MODEL] })
  expectCompletion(await pending)
  expect(await system.metric('hearth_second_offers_won_total')).toBe(1)
  await spare[Symbol.asyncDispose]()
  process.kill(device.pid, 'SIGCONT')
  await system.metricReaches('hearth_leases', 0)
  expectCompletion(await ask())
})
