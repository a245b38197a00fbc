// Streams whose tokens come as fast as the gateway takes them, from 32 clients at once. Also what it costs that devices report the ids of
// their tokens, so that another device can continue a reply.

import { compare, figures, ratio, warmUp, type Comparison } from '../measuring/compare.ts'
import type { Measurement } from '../measuring/measure.ts'
import { TOKENS } from '../gateway/tokens.ts'
import type { Measure } from '../measure.ts'
import type { Row } from '../report.ts'
import { startProcesses } from '../systems/checkouts.ts'
import { stopAll, type System } from '../systems/system.ts'

const perChunk = (each: Measurement) => each.cpuMicrosPerRequest / TOKENS.length
const FRAMES = ['separate', 'together'] as const
const WITH_IDS = ', with ids'
const MOST = { separate: 1.5, together: 0.7 }

export const streamBursts: Measure = {
  name: 'bursts',
  async run(options) {
    const ours: System[] = []
    for (const frames of FRAMES)
      for (const reportsTokens of [false, true])
        ours.push(...(await startProcesses(options, { frames, reportsTokens })))
    // Portkey's gateway fails this load.
    const systems = [...(await options.peers()).filter(({ name }) => name !== 'portkey'), ...ours]
    await warmUp(systems, true, options)
    const bursts = await compare(systems, { stream: true, connections: 32 }, options)
    await stopAll(ours)
    return [costRow(bursts), reportingRow(bursts)]
  },
}

function costRow(bursts: Comparison): Row {
  return {
    what: 'stream burst, 32 clients, CPU per token',
    figures: figuresOf(bursts, (name) => !name.endsWith(WITH_IDS)),
    bars: FRAMES.map((frames) => ({
      unit: `× nginx, ${frames}`,
      value: ratio(bursts, `hearth, ${frames}`, 'nginx', perChunk),
      most: MOST[frames],
    })),
  }
}

function reportingRow(bursts: Comparison): Row {
  return {
    what: 'the same with tokens reported for another device',
    figures: figuresOf(bursts, (name) => name.endsWith(WITH_IDS)),
    bars: FRAMES.map((frames) => ({
      unit: `× without, ${frames}`,
      value: ratio(bursts, `hearth, ${frames}${WITH_IDS}`, `hearth, ${frames}`, perChunk),
      most: 1.03,
    })),
  }
}

function figuresOf(bursts: Comparison, isWanted: (name: string) => boolean): Record<string, string> {
  const wanted = new Map([...bursts].filter(([name]) => isWanted(name)))
  return figures(wanted, (each) => `${perChunk(each).toFixed(2)} µs`)
}
