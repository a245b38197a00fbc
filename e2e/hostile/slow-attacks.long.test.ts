// Attacks that take longest, or that are much like others that run with every change.

import { afterAll, describe, it } from 'vitest'
import { compressedBodies } from './attacks/compressed-bodies.ts'
import { endlessAnnotations, endlessLogprobs } from './attacks/endless-reply.ts'
import { halfBodies } from './attacks/half-bodies.ts'
import { manyKeys } from './attacks/many-keys.ts'
import { pingFlood } from './attacks/ping-flood.ts'
import { redials } from './attacks/redials.ts'
import { tokenFlood } from './attacks/token-flood.ts'
import { unreadAnswers } from './attacks/unread-answers.ts'
import { unreadReplies, unreadStreams } from './attacks/unread-replies.ts'
import { expectUnharmed } from './expect-unharmed.ts'
import { HostileSystem } from './hostile-system.ts'

const hostile = await HostileSystem.start()
afterAll(async () => hostile[Symbol.asyncDispose]())

describe('a bystander notices nothing', () => {
  it.each([
    compressedBodies,
    halfBodies,
    unreadAnswers,
    unreadStreams,
    unreadReplies,
    endlessLogprobs,
    endlessAnnotations,
    pingFlood,
    redials,
    tokenFlood,
    manyKeys,
  ])('[K111] of $name', async (attack) => {
    expectUnharmed(await hostile.suffer(attack))
  })
})
