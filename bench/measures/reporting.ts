// What it costs that devices report the ids of their tokens, so that another device can continue a reply.

import { compare, figures, ratio, warmUp } from '../gateway/compare.ts'
import type { Measurement } from '../gateway/measure.ts'
import { TOKENS } from '../gateway/tokens.ts'
import type { Measure } from '../measure.ts'
import { startProcesses } from '../systems/checkouts.ts'
import { stopAll } from '../systems/system.ts'

const perChunk = (each: Measurement) => each.cpuMicrosPerRequest / TOKENS.length
const FRAMES = ['separate', 'together'] as const

export const reporting: Measure = {
  name: 'reporting',
  async run(options) {
    const systems = []
    for (const frames of FRAMES)
      for (const reportsTokens of [false, true])
        systems.push(...(await startProcesses(options, { frames, reportsTokens })))
    await warmUp(systems, true, options)
    const streams = await compare(systems, { stream: true, connections: 32 }, options)
    await stopAll(systems)
    return [
      {
        what: 'tokens reported for another device, 32 clients, CPU per token',
        figures: figures(streams, (each) => `${perChunk(each).toFixed(2)} µs`),
        bars: FRAMES.map((frames) => ({
          unit: `× without, ${frames}`,
          value: ratio(streams, `hearth, ${frames}, with ids`, `hearth, ${frames}`, perChunk),
          most: 1.03,
        })),
      },
    ]
  },
}
