// Libraries that are built on those of the reference API, with one gateway.

import { afterAll, beforeEach } from 'vitest'
import { startSystem } from '../harness/start-system.ts'
import { agentsSdk } from './agents.ts'
import { aiSdk } from './ai-sdk.ts'
import { langChain } from './langchain.ts'

const system = await startSystem({ settings: { DEVICE_WAIT_MS: '3000' } })
afterAll(async () => system[Symbol.asyncDispose]())

beforeEach(() => {
  system.full.plan = {}
})

aiSdk(system)
langChain(system)
agentsSdk(system)
