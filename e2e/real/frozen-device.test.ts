// A real device app that is stopped like a suspended machine: its connection stays open, and it answers nothing.

import { fileURLToPath } from 'node:url'
import { createEnrolmentToken } from '@hearth/gateway/testing'
import { expect, it } from 'vitest'
import { startDeviceProcess } from '../harness/device-process.ts'
import { expectCompletion } from '../harness/expect-reply.ts'
import { HI, startSystem, type System } from '../harness/start-system.ts'

const TINY = {
  path: fileURLToPath(new URL('../../packages/device/tiny-model/tiny.gguf', import.meta.url)),
  name: 'own',
}

async function enrolmentToken(system: System): Promise<string> {
  const { key, digest } = createEnrolmentToken()
  await system.change(async (store, { home: organization }) => {
    await store.enableModel({ organization, name: TINY.name })
    await store.createEnrolment({ organization, digest, expiresAt: new Date(Date.now() + 600_000) })
  })
  return key
}

it('[S49] [S49c] hands its requests to another device, and serves again when it wakes up', async () => {
  await using system = await startSystem({ devices: 'none' })
  await using device = await startDeviceProcess({
    origin: system.origin,
    token: await enrolmentToken(system),
    model: TINY,
  })
  const ask = () => system.client.post({ model: TINY.name, messages: HI, max_tokens: 4 })
  expectCompletion(await ask())
  process.kill(device.pid, 'SIGSTOP')
  const pending = ask()
  await system.metricReaches('hearth_running_jobs', 1)
  const spare = await system.connectDevice({ models: [TINY.name] })
  expectCompletion(await pending)
  expect(await system.metric('hearth_second_offers_won')).toBe(1)
  await spare[Symbol.asyncDispose]()
  process.kill(device.pid, 'SIGCONT')
  await system.metricReaches('hearth_leases', 0)
  expectCompletion(await ask())
})
