// One gateway for all bad input, and a bystander that must not notice any of it.

import { afterAll } from 'vitest'
import { watchBystander } from '../harness/bystander.ts'
import { startSystem } from '../harness/start-system.ts'

export const system = await startSystem({ settings: { CLIENT_STALL_MS: '1500' } })
afterAll(async () => system[Symbol.asyncDispose]())
watchBystander(system)
