// Attacks with many devices, links or requests of one organization at once.

import { CLOSE } from '@hearth/protocol'
import { afterAll, describe, expect, it } from 'vitest'
import { halfMessages } from './attacks/crowds/half-messages.ts'
import { manyReports } from './attacks/crowds/many-reports.ts'
import { fragmentedLinks } from './attacks/fragmented-links.ts'
import { longPrompts } from './attacks/long-prompts.ts'
import { pipelinedRequests } from './attacks/pipelined-requests.ts'
import { expectUnharmed } from './expect-unharmed.ts'
import { HostileSystem } from './hostile-system.ts'

const hostile = await HostileSystem.start({ devices: 300 })
afterAll(async () => hostile[Symbol.asyncDispose]())

describe('a bystander notices nothing', () => {
  it.each([longPrompts, pipelinedRequests, fragmentedLinks])('[K111] of $name', async (attack) => {
    expectUnharmed(await hostile.suffer(attack))
  })

  it('[K111] of messages that never end', async () => {
    const outcome = await hostile.suffer(halfMessages)
    expectUnharmed(outcome)
    const { held = 0, [CLOSE.overloaded]: rejected = 0 } = outcome.report ?? {}
    expect(held).toBeLessThan(50)
    expect(rejected).toBeGreaterThan(200)
  })

  it('[K111] of devices that say too much about themselves', async () => {
    const outcome = await hostile.suffer(manyReports)
    expectUnharmed(outcome)
    const { notice = 0, [CLOSE.overloaded]: rejected = 0 } = outcome.report ?? {}
    expect(notice + rejected).toBeGreaterThan(100)
  })
})
