import { expect, inject, it } from 'vitest'
import { simulateGateways } from './simulate.ts'

const WORLDS = inject('isLongRun') ? 110 : 12

it.each([2, 3, 4])(
  `[N57] [N57a] [N57b] [N57c] %i gateways keep every promise in ${WORLDS} random worlds, and come to rest`,
  async (gateways) => {
    const outcomes = new Map<string, number>()
    for (let world = 0; world < WORLDS; world++) {
      const run = await simulateGateways({ seed: gateways * 10_000 + world, gateways })
      for (const [outcome, count] of run.outcomes) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + count)
    }
    expect(outcomes.get('ended')).toBeGreaterThan(WORLDS * 5)
    expect(outcomes.get('device-lost')).toBeGreaterThan(0)
  },
)

it(`[N57d] no job of 4 gateways notices in ${WORLDS} orderly worlds that gateways without clients and devices fail`, async () => {
  for (let world = 0; world < WORLDS; world++)
    await simulateGateways({ seed: 50_000 + world, gateways: 4, isOrderly: true })
})
