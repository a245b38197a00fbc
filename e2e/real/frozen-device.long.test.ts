// A real device app that is stopped like a suspended machine: its connection stays open, and it answers nothing.

import { expect, it } from 'vitest'
import { startDeviceProcess } from '../harness/processes/device-process.ts'
import { expectCompletion } from '../harness/client/expect-reply.ts'
import { HI, startSystem } from '../harness/start-system.ts'
import { TINY_PATH } from '../harness/tiny-model.ts'

const TINY = {
  path: TINY_PATH,
  name: 'own',
}

it('[S49] [S31] hands its requests to another device, and serves again when it wakes up', async () => {
  await using system = await startSystem({ devices: 'none' })
  await using device = await startDeviceProcess({
    origin: system.origin,
    token: await system.enrolmentToken(TINY.name),
    model: TINY,
  })
  const ask = () => system.client.post({ model: TINY.name, messages: HI, max_tokens: 4 })
  expectCompletion(await ask())
  process.kill(device.pid, 'SIGSTOP')
  const pending = ask()
  await system.metricReaches('hearth_running_jobs', 1)
  const spare = await system.connectDevice({ models: [TINY.name] })
  expectCompletion(await pending)
  expect(await system.metric('hearth_second_offers_won_total')).toBe(1)
  await spare[Symbol.asyncDispose]()
  process.kill(device.pid, 'SIGCONT')
  await system.metricReaches('hearth_leases', 0)
  expectCompletion(await ask())
})
