// Attacks on the database that all organizations share, and its outages.

import { afterAll, describe, it } from 'vitest'
import { signInFlood } from './attacks/sign-in-flood.ts'
import { silentStore } from './attacks/silent-store.ts'
import { expectUnharmed } from './expect-unharmed.ts'
import { HostileSystem } from './hostile-system.ts'

const hostile = await HostileSystem.start()
afterAll(async () => hostile[Symbol.asyncDispose]())

describe('a bystander notices nothing', () => {
  it.each([signInFlood, silentStore])('[K111] of $name', async (attack) => {
    expectUnharmed(await hostile.suffer(attack))
  })
})
