// How soon new connections are served while a thousand streams run.

import { measureAccepting, type Accepting } from '../load/accepting.ts'
import type { Measure } from '../measure.ts'

/** A new connection needs two turns of the event loop: one to be taken, one to be read. One that is open already needs one turn. */
const TURNS = 2

export const accepting: Measure = {
  name: 'accepting',
  async run({ against }) {
    const ours = await measureAccepting()
    const other = against === undefined ? undefined : await measureAccepting(against)
    return [
      {
        what: '300 clients connect at once beside 1,000 streams, first byte of /healthz',
        figures: { hearth: format(ours), ...(other && { other: format(other) }) },
        bars: [
          { unit: '× open connections, p50', value: ours.fresh.p50 / ours.kept.p50, most: TURNS },
          { unit: 'turns added by the streams, p50', value: addedTurns(ours), most: TURNS },
        ],
      },
    ]
  },
}

/** What the streams add to the time of a new connection, in turns. */
function addedTurns({ fresh, kept, idle }: Accepting): number {
  return Math.max(0, fresh.p50 - idle.fresh.p50) / kept.p50
}

function format({ fresh, kept, idle, tokensPerSecond, cpuShare }: Accepting): string {
  const load = `${Math.round(tokensPerSecond)} tokens/s, ${cpuShare.toFixed(2)} of a core`
  return `p50 ${fresh.p50.toFixed(0)} ms, last ${fresh.last.toFixed(0)} ms; open connections p50 ${kept.p50.toFixed(0)} ms (${load}); without streams p50 ${idle.fresh.p50.toFixed(0)} ms, open connections ${idle.kept.p50.toFixed(0)} ms`
}
