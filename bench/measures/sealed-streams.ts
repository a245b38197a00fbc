// What the gateway spends on a token of a sealed stream, compared with a token that it can read. The boxes are made beforehand.

import type { Measure } from '../measure.ts'
import { STEPS_PER_SECOND } from '../gateway/tokens.ts'
import { startHearth, type Hearth } from '../systems/hearth.ts'
import { startSealedHearth } from '../systems/sealed-hearth.ts'
import { stopAll } from '../systems/system.ts'
import { costsPerToken, SLOTS_PER_DEVICE } from './slow-streams.ts'

const MOST = 1.1

export const sealedStreams: Measure = {
  name: 'sealed-streams',
  async run(options) {
    const streams = options.isQuick ? 250 : 1_000
    const size = { keys: 1, devices: Math.ceil(streams / SLOTS_PER_DEVICE) }
    const systems: Hearth[] = []
    for (let process = 0; process < options.processes; process++) {
      systems.push(await startHearth({ frames: 'paced', size }))
      systems.push((await startSealedHearth({ frames: 'paced', size })).sealed)
    }
    const costs = await costsPerToken(systems, streams, options)
    await stopAll(systems)
    return [
      {
        what: `${streams} streams at ${STEPS_PER_SECOND} tokens/s each, the gateway's CPU per token`,
        figures: Object.fromEntries([...costs].map(([name, micros]) => [name, `${micros.toFixed(1)} µs`])),
        bars: [
          {
            unit: '× plain',
            value: costs.get('hearth, paced, sealed')! / costs.get('hearth, paced')!,
            most: MOST,
          },
        ],
      },
    ]
  },
}
