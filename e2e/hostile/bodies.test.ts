// Attacks with requests: what a key of another organization sends, and what it does not read.

import { afterAll, describe, it } from 'vitest'
import { halfBodies } from './attacks/half-bodies.ts'
import { longPrompts } from './attacks/long-prompts.ts'
import { manyValues } from './attacks/many-values.ts'
import { pipelinedRequests } from './attacks/pipelined-requests.ts'
import { unreadAnswers } from './attacks/unread-answers.ts'
import { unreadStreams } from './attacks/unread-replies.ts'
import { expectUnharmed } from './expect-unharmed.ts'
import { HostileSystem } from './hostile-system.ts'

const hostile = await HostileSystem.start()
afterAll(async () => hostile[Symbol.asyncDispose]())

describe('a bystander notices nothing', () => {
  it.each([manyValues, longPrompts, halfBodies, pipelinedRequests, unreadAnswers, unreadStreams])(
    '[K111] of $name',
    async (attack) => {
      expectUnharmed(await hostile.suffer(attack))
    },
  )
})
