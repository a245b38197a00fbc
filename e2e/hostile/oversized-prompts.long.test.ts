// One key's prompts that can't fit, and another key's streams on the same real device.

import { afterAll, expect, it } from 'vitest'
import { oversizedPrompts } from './attacks/oversized-prompts.ts'
import { expectUnharmed, MOST_STALL_MS } from './expect-unharmed.ts'
import { HostileSystem } from './hostile-system.ts'
import { SharedDevice } from './shared-device.ts'

const hostile = await HostileSystem.start()
const device = await SharedDevice.start(hostile)
afterAll(async () => {
  await device[Symbol.asyncDispose]()
  await hostile[Symbol.asyncDispose]()
})

it('no prompt holds up another key’s streams, however long it is', async () => {
  const { result, faults, gapsMs, stallsMs, slowness } = await device.during(() => hostile.suffer(oversizedPrompts))
  expectUnharmed(result)
  expect(Object.keys(result.report ?? {})).toEqual(['400'])
  expect(faults).toEqual([])
  expect(gapsMs.length).toBeGreaterThan(0)
  expect(stallsMs[0] ?? 0, 'the longest turn of the device’s event loops').toBeLessThan(MOST_STALL_MS * slowness)
})
