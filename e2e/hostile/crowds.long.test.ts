// Attacks with many devices of one organization that take long.

import { CLOSE } from '@hearth/protocol'
import { afterAll, describe, expect, it } from 'vitest'
import { manyReports } from './attacks/crowds/many-reports.ts'
import { expectUnharmed } from './expect-unharmed.ts'
import { HostileSystem } from './hostile-system.ts'

const hostile = await HostileSystem.start({ devices: 300 })
afterAll(async () => hostile[Symbol.asyncDispose]())

describe('a bystander notices nothing', () => {
  it('[K111] of devices that say too much about themselves', async () => {
    const outcome = await hostile.suffer(manyReports)
    expectUnharmed(outcome)
    const { notice = 0, [CLOSE.overloaded]: rejected = 0 } = outcome.report ?? {}
    expect(notice + rejected).toBeGreaterThan(100)
  })
})
