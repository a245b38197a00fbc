// One gateway for all that it does for devices.

import { afterAll } from 'vitest'
import { startSystem } from '../harness/start-system.ts'

export const system = await startSystem({ devices: 'none', settings: { ACCESS_POLL_MS: '100' } })
afterAll(async () => system[Symbol.asyncDispose]())
