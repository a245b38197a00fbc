// Streams whose tokens come as fast as the gateway takes them, from 32 clients at once.

import { compare, figures, ratio, warmUp } from '../gateway/compare.ts'
import type { Measurement } from '../gateway/measure.ts'
import { TOKENS } from '../gateway/tokens.ts'
import type { Measure } from '../measure.ts'
import { startProcesses } from '../systems/checkouts.ts'
import { stopAll } from '../systems/system.ts'

const perChunk = (each: Measurement) => each.cpuMicrosPerRequest / TOKENS.length

export const streamBursts: Measure = {
  name: 'bursts',
  async run(options) {
    const separate = await startProcesses(options, { frames: 'separate' })
    const together = await startProcesses(options, { frames: 'together' })
    // Portkey's gateway fails this load.
    const peers = (await options.peers()).filter(({ name }) => name !== 'portkey')
    const systems = [...peers, ...separate, ...together]
    await warmUp(systems, true, options)
    const bursts = await compare(systems, { stream: true, connections: 32 }, options)
    await stopAll([...separate, ...together])
    return [
      {
        what: 'stream burst, 32 clients, CPU per token',
        figures: figures(bursts, (each) => `${perChunk(each).toFixed(2)} µs`),
        bars: [
          { unit: '× nginx, separate', value: ratio(bursts, 'hearth, separate', 'nginx', perChunk), most: 1.5 },
          { unit: '× nginx, together', value: ratio(bursts, 'hearth, together', 'nginx', perChunk), most: 0.7 },
        ],
      },
    ]
  },
}
