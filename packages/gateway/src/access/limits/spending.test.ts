import { beforeEach, describe, expect, it } from 'vitest'
import { MemoryBus } from '../../bus/testing/memory-bus.ts'
import { VirtualClock } from '../../fleet/simulator/virtual-clock.ts'
import { admitBudgets } from '../../chat/admit.ts'
import type { Budget } from '../../store/revisions/access-rows.ts'
import type { Spent } from '../../store/usage/budgets.ts'
import { Spending } from './spending.ts'

const BUDGET: Budget = { holder: 'key', organization: 'acme', id: 'k', tokensPerMonth: 1_000 }
const DAY_MS = 86_400_000

describe('monthly budgets', () => {
  let time: VirtualClock
  let today: number
  let rows: Spent[]
  let gateways: Spending[]
  beforeEach(() => {
    today = Date.UTC(2026, 10, 29, 12)
    rows = []
    time = new VirtualClock()
    const bus = new MemoryBus({ clock: time.asClock() })
    gateways = ['a', 'b'].map((name) => {
      const gateway = start()
      gateway.share(bus.connect(name))
      return gateway
    })
  })

  function start(): Spending {
    return new Spending({ store: { readSpending: async () => rows }, onError: () => {}, today: () => today })
  }

  /** As the database adds a batch: the tokens, and the batch's number with them. */
  function write(journal: string, number: number, tokens: number): void {
    const { holder, organization, id } = BUDGET
    const before = rows.find((row) => row.holder === 'key')?.tokens ?? 0
    rows = [
      ...rows.filter((row) => row.holder === 'journal' && row.id !== journal),
      { holder: 'journal', organization: '', id: journal, tokens: number },
      { holder, organization, id, tokens: before + tokens },
    ]
  }

  function arrive(): void {
    while (time.next <= time.now + 1_000) time.advance()
  }

  async function readUsed(...from: Spending[]): Promise<number[]> {
    await Promise.all(from.map((gateway) => gateway.read()))
    return from.map((gateway) => gateway.used(BUDGET))
  }

  function ask(gateway = gateways[0]!, budgets = [BUDGET]): Record<string, string> {
    const headers: Record<string, string> = {}
    const outlet = { header: (name: string, value: string) => void (headers[name] = value) }
    const caller = { key: 'k', organization: 'acme', expiresAt: Infinity, budgets }
    admitBudgets(caller, outlet as unknown as Parameters<typeof admitBudgets>[1], gateway)
    return headers
  }

  it('are not mentioned below 80 %, and in a header from there on', () => {
    const [gateway] = gateways
    gateway!.add({ journal: 'a', number: 1 }, [BUDGET], 799)
    expect(ask()).toEqual({})
    gateway!.add({ journal: 'a', number: 1 }, [BUDGET], 50)
    const team: Budget = { ...BUDGET, holder: 'organization', id: 'acme' }
    gateway!.add({ journal: 'a', number: 1 }, [team], 999)
    expect(ask(gateway, [BUDGET, team])).toEqual({ 'x-service-budget': 'key=84, organization=99' })
  })

  it('that are used up get a 429 that says whose, until when and what to do, and that no client repeats', () => {
    for (const [holder, words] of [
      ['key', 'raise it on the Keys page'],
      ['member', 'ask an admin'],
      ['organization', 'ask an owner'],
    ] as const) {
      const budget = { ...BUDGET, holder }
      gateways[0]!.add({ journal: 'a', number: 1 }, [budget], 1_000)
      expect(() => ask(gateways[0], [budget])).toThrow(
        expect.objectContaining({
          code: 'insufficient_quota',
          status: 429,
          headers: { 'x-should-retry': 'false' },
          message: expect.stringMatching(
            new RegExp(`1,000 tokens. It starts again on 2026-12-01 at 00:00 UTC.*${words}`),
          ),
        }),
      )
    }
  })

  it('start again with the calendar month, in UTC', async () => {
    write('a', 1, 1_000)
    await gateways[0]!.read()
    expect(() => ask()).toThrow('used up')
    today = Date.UTC(2026, 10, 30, 23, 59, 59, 999)
    expect(() => ask()).toThrow('used up')
    today += 1
    expect(ask()).toEqual({})
    gateways[0]!.add({ journal: 'a', number: 2 }, [BUDGET], 900)
    expect(ask()).toEqual({ 'x-service-budget': 'key=90' })
    today += 31 * DAY_MS
    expect(gateways[0]!.used(BUDGET)).toBe(0)
  })

  it('count the jobs of all gateways, each once, whoever writes them first', async () => {
    const [a, b] = [gateways[0]!, gateways[1]!]
    a.add({ journal: 'a', number: 1 }, [BUDGET], 300)
    b.add({ journal: 'b', number: 4 }, [BUDGET], 200)
    arrive()
    expect([a.used(BUDGET), b.used(BUDGET)]).toEqual([500, 500])
    write('a', 1, 300)
    await b.read()
    a.add({ journal: 'a', number: 2 }, [BUDGET], 10)
    arrive()
    expect([a.used(BUDGET), b.used(BUDGET)]).toEqual([510, 510])
    await a.read()
    write('b', 4, 200)
    expect(await readUsed(a, b)).toEqual([510, 510])
  })

  it('are the same after a gateway was killed and has written what its journal had', async () => {
    const [a, b] = [gateways[0]!, gateways[1]!]
    a.add({ journal: 'a', number: 1 }, [BUDGET], 300)
    arrive()
    write('a', 1, 300)
    const again = start()
    expect(await readUsed(again, b)).toEqual([300, 300])
  })

  it('forget what a gateway announced that nobody heard of for a minute', async () => {
    const [a, b] = [gateways[0]!, gateways[1]!]
    a.add({ journal: 'a', number: 1 }, [BUDGET], 300)
    arrive()
    today += 61_000
    expect(await readUsed(a, b)).toEqual([300, 0])
  })
})
