// How fast running streams stay when twice as many clients want one as the gateway can carry.

import { measureShedding, type Age, type Shedding } from '../load/shedding.ts'
import type { Measure } from '../measure.ts'
import { compare } from './compare.ts'

const ADDED_MS = 100

export const shedding: Measure = {
  name: 'shedding',
  async run({ against }) {
    const { ours, figures } = await compare(measureShedding, format, against)
    return [
      {
        what: 'streams at twice the load that one core can carry, device to client',
        figures,
        bars: [{ unit: 'ms added by the overload, p99', value: ours.age.p99 - ours.lightAge.p99, most: ADDED_MS }],
      },
    ]
  },
}

function format({
  offered,
  open,
  tokensPerSecond,
  refused,
  failed,
  lightAge,
  age,
  health,
  linksLost,
}: Shedding): string {
  return [
    `${formatAge(age)}, with 300 streams ${formatAge(lightAge)}`,
    `${offered} clients, ${open} streams run, ${Math.round(tokensPerSecond)} tokens/s`,
    `${refused} × 503, ${failed} other failures, ${linksLost} device links lost`,
    `/healthz over a new connection ${formatAge(health)}`,
  ].join('; ')
}

function formatAge({ p50, p99 }: Age): string {
  return `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`
}
