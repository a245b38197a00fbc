// Attacks with copies of models: devices of another organization that share, ask and send, or don't.

import { afterAll, describe, expect, it } from 'vitest'
import { relayPosts } from './attacks/relays/relay-posts.ts'
import { relaySearch } from './attacks/relays/relay-search.ts'
import { relayUnread } from './attacks/relays/relay-unread.ts'
import { silentHolders } from './attacks/silent-holders.ts'
import { expectUnharmed } from './expect-unharmed.ts'
import { peakMemoryMiB } from './gateway-facts.ts'
import { HostileSystem } from './hostile-system.ts'

/** Pieces that nobody reads stay as long as they do with the usual settings. */
const hostile = await HostileSystem.start({ devices: 10, hasCopies: true, settings: { CLIENT_STALL_MS: '60000' } })
afterAll(async () => hostile[Symbol.asyncDispose]())

/** Less than a third of what the pieces of the attack would take. */
const MOST_MORE_MIB = 192

describe('a bystander, whose devices copy a model, notices nothing', () => {
  it.each([relaySearch, relayPosts, relayUnread, silentHolders])('[K111] of $name', async (attack) => {
    const beforeMiB = peakMemoryMiB(hostile.system.gateway.pid)
    const outcome = await hostile.suffer(attack)
    expectUnharmed(outcome)
    expect(outcome.peakMiB - beforeMiB, 'memory that the attack took').toBeLessThan(MOST_MORE_MIB)
    if (attack === relayUnread) expect(outcome.report?.['206'], 'pieces given to a device that reads none').toBe(1)
  })
})
