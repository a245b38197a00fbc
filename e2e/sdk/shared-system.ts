// One gateway for all client libraries.

import { afterAll, beforeEach } from 'vitest'
import { startSystem } from '../harness/start-system.ts'

export const system = await startSystem({ settings: { DEVICE_WAIT_MS: '3000' } })
afterAll(async () => system[Symbol.asyncDispose]())

beforeEach(() => {
  system.full.plan = {}
})
