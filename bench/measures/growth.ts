// How the cost of a request grows with the number of devices and keys.

import { compare, figures, ratio, warmUp } from '../measuring/compare.ts'
import type { Measurement } from '../measuring/measure.ts'
import type { BenchOptions, Measure } from '../measure.ts'
import { startProcesses } from '../systems/checkouts.ts'
import { stopAll, type System } from '../systems/system.ts'

const cost = (each: Measurement) => each.cpuMicrosPerRequest

export const growth: Measure = {
  name: 'growth',
  async run(options) {
    const count = options.isQuick ? 1_000 : 10_000
    const systems = [...(await start(1, 'one of each', options)), ...(await start(count, 'many', options))]
    await warmUp(systems, false, options)
    const compared = await compare(systems, { stream: false, connections: 32 }, options)
    await stopAll(systems)
    return [
      {
        what: `whole reply with ${count} devices and ${count} keys, CPU per request`,
        figures: figures(compared, (each) => `${cost(each).toFixed(1)} µs`),
        bars: [{ unit: '× one of each', value: ratio(compared, 'many', 'one of each', cost), most: 1.1 }],
      },
    ]
  },
}

async function start(count: number, name: string, options: BenchOptions): Promise<System[]> {
  const started = await startProcesses(options, { frames: 'joined', size: { keys: count, devices: count } })
  return started.map((system) => ({ ...system, name: system.name.startsWith('other') ? `other, ${name}` : name }))
}
