// How soon new connections are served while a thousand streams run.

import { measureAccepting, type Accepting } from '../load/accepting.ts'
import type { Measure } from '../measure.ts'
import { compare } from './compare.ts'

/** One turn of the event loop to take a new connection, and one to read its request. */
const TURNS = 2

export const accepting: Measure = {
  name: 'accepting',
  async run({ against }) {
    const { ours, figures } = await compare(measureAccepting, format, against)
    return [
      {
        what: '300 clients connect at once beside 1,000 streams, first byte of /healthz',
        figures,
        bars: [{ unit: 'turns of the event loop, p50', value: ours.busy.p50.turns, most: TURNS }],
      },
    ]
  },
}

function format({ busy, idle, tokensPerSecond, cpuShare }: Accepting): string {
  const load = `${Math.round(tokensPerSecond)} tokens/s, ${cpuShare.toFixed(2)} of a core`
  return `${formatCrowd(busy)} (${load}); without streams ${formatCrowd(idle)}`
}

function formatCrowd({ p50, last }: Accepting['busy']): string {
  return `p50 ${p50.ms.toFixed(0)} ms, ${p50.turns} turns, last ${last.ms.toFixed(0)} ms, ${last.turns} turns`
}
