// Attacks with many devices or requests of one organization at once.

import { CLOSE } from '@hearth/protocol'
import { afterAll, describe, expect, it } from 'vitest'
import { halfMessages } from './attacks/crowds/half-messages.ts'
import { longPrompts } from './attacks/long-prompts.ts'
import { expectUnharmed } from './expect-unharmed.ts'
import { HostileSystem } from './hostile-system.ts'

const hostile = await HostileSystem.start({ devices: 300 })
afterAll(async () => hostile[Symbol.asyncDispose]())

describe('a bystander notices nothing', () => {
  it('of prompts that wait for a device', async () => {
    expectUnharmed(await hostile.suffer(longPrompts))
  })

  it('of messages that never end', async () => {
    const outcome = await hostile.suffer(halfMessages)
    expectUnharmed(outcome)
    const { held = 0, [CLOSE.overloaded]: rejected = 0 } = outcome.report ?? {}
    expect(held).toBeLessThan(50)
    expect(rejected).toBeGreaterThan(200)
  })
})
