// An attack with copies of models: devices of another organization that share and ask, and never send.

import { afterAll, expect, it } from 'vitest'
import { silentHolders } from './attacks/silent-holders.ts'
import { expectUnharmed } from './expect-unharmed.ts'
import { HostileSystem } from './hostile-system.ts'

const hostile = await HostileSystem.start({ devices: 10, hasCopies: true })
afterAll(async () => hostile[Symbol.asyncDispose]())

it('a bystander, whose devices copy a model, notices nothing of devices that hold copies up', async () => {
  const outcome = await hostile.suffer(silentHolders)
  expectUnharmed(outcome)
  expect(outcome.report?.['asked'], 'pieces that nobody sent').toBeGreaterThan(0)
})
