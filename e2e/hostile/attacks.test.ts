// Attacks with requests of a key, frames of a device and the database that all organizations share. The long run has more of them.

import { afterAll, describe, it } from 'vitest'
import { endlessCalls } from './attacks/endless-reply.ts'
import { manyValues } from './attacks/many-values.ts'
import { signInFlood } from './attacks/sign-in-flood.ts'
import { silentStore } from './attacks/silent-store.ts'
import { expectUnharmed } from './expect-unharmed.ts'
import { HostileSystem } from './hostile-system.ts'

const hostile = await HostileSystem.start()
afterAll(async () => hostile[Symbol.asyncDispose]())

describe('a bystander notices nothing', () => {
  it.each([manyValues, endlessCalls, signInFlood, silentStore])('of $name', async (attack) => {
    expectUnharmed(await hostile.suffer(attack))
  })
})
