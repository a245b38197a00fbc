// Attacks with copies of models: devices of another organization that share, ask and send, or don't.

import { afterAll, describe, expect, it } from 'vitest'
import { relayPosts } from './attacks/relay-posts.ts'
import { relaySearch } from './attacks/relay-search.ts'
import { relayUnread } from './attacks/relay-unread.ts'
import { silentHolders } from './attacks/silent-holders.ts'
import { expectUnharmed } from './expect-unharmed.ts'
import { HostileSystem } from './hostile-system.ts'

const hostile = await HostileSystem.start({ devices: 10, hasCopies: true, settings: { CLIENT_STALL_MS: '60000' } })
afterAll(async () => hostile[Symbol.asyncDispose]())

describe('a bystander, whose devices copy a model, notices nothing', () => {
  it.each([relaySearch, relayPosts, relayUnread, silentHolders])('[K111] of $name', async (attack) => {
    const outcome = await hostile.suffer(attack)
    const waits = outcome.waitsMs.toSorted((a,b)=>a-b)
    console.log(attack.name, outcome.report, 'stalls', outcome.stallsMs.slice(0,3), 'peak', outcome.peakMiB, 'p50', waits[waits.length>>1], 'max', waits.at(-1), outcome.faults.length, outcome.faults.slice(0,2))
    expectUnharmed(outcome)
  })
})
