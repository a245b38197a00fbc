// Attacks with requests: what a key of another organization sends. The long run has more of them.

import { afterAll, describe, it } from 'vitest'
import { longPrompts } from './attacks/long-prompts.ts'
import { manyValues } from './attacks/many-values.ts'
import { pipelinedRequests } from './attacks/pipelined-requests.ts'
import { expectUnharmed } from './expect-unharmed.ts'
import { HostileSystem } from './hostile-system.ts'

const hostile = await HostileSystem.start()
afterAll(async () => hostile[Symbol.asyncDispose]())

describe('a bystander notices nothing', () => {
  it.each([manyValues, longPrompts, pipelinedRequests])('[K111] of $name', async (attack) => {
    expectUnharmed(await hostile.suffer(attack))
  })
})
