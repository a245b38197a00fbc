// Attacks with frames: what a device of another organization sends.

import { afterAll, describe, it } from 'vitest'
import { endlessCalls } from './attacks/endless-reply.ts'
import { fragmentedLinks } from './attacks/fragmented-links.ts'
import { toggledModels } from './attacks/toggled-models.ts'
import { expectUnharmed } from './expect-unharmed.ts'
import { HostileSystem } from './hostile-system.ts'

const hostile = await HostileSystem.start()
afterAll(async () => hostile[Symbol.asyncDispose]())

describe('a bystander notices nothing', () => {
  it.each([endlessCalls, toggledModels, fragmentedLinks])('[K111] of $name', async (attack) => {
    expectUnharmed(await hostile.suffer(attack))
  })
})
