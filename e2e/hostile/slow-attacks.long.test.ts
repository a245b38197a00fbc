// Attacks that take longest.

import { afterAll, describe, it } from 'vitest'
import { manyKeys } from './attacks/many-keys.ts'
import { pingFlood } from './attacks/ping-flood.ts'
import { unreadAnswers } from './attacks/unread-answers.ts'
import { unreadStreams } from './attacks/unread-replies.ts'
import { expectUnharmed } from './expect-unharmed.ts'
import { HostileSystem } from './hostile-system.ts'

const hostile = await HostileSystem.start()
afterAll(async () => hostile[Symbol.asyncDispose]())

describe('a bystander notices nothing', () => {
  it.each([unreadAnswers, unreadStreams, pingFlood, manyKeys])('of $name', async (attack) => {
    expectUnharmed(await hostile.suffer(attack))
  })
})
