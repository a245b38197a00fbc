// How the cost of a request grows with the number of devices and keys.

import { compare, figures, ratio, warmUp } from '../gateway/compare.ts'
import type { Measurement } from '../gateway/measure.ts'
import type { Measure } from '../measure.ts'
import { startHearth } from '../systems/hearth.ts'
import { stopAll } from '../systems/system.ts'

const cost = (each: Measurement) => each.cpuMicrosPerRequest

export const growth: Measure = {
  name: 'growth',
  async run(options) {
    const count = options.isQuick ? 1_000 : 10_000
    const checkout = options.against
    const one = { ...(await startHearth({ frames: 'joined' })), name: 'one of each' }
    const many = await startHearth({ frames: 'joined', size: { keys: count, devices: count } })
    const other = checkout === undefined ? [] : await startOther(checkout, count)
    const systems = [one, { ...many, name: 'many' }, ...other]
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

async function startOther(checkout: string, count: number) {
  const one = await startHearth({ frames: 'joined', checkout })
  const many = await startHearth({ frames: 'joined', checkout, size: { keys: count, devices: count } })
  return [
    { ...one, name: 'other, one of each' },
    { ...many, name: 'other, many' },
  ]
}
