// How soon a large fleet is linked again after the gateway was killed, and what everyone else notices.

import type { Measure } from '../measure.ts'
import { percentile } from '../percentile.ts'
import { restartFleet, type Restart } from '../promises/restart-fleet.ts'

const SECONDS = 15
const OTHERS_MS = 250

export const storm: Measure = {
  name: 'storm',
  async run({ against, isQuick }) {
    const devices = isQuick ? 2_000 : 10_000
    const ours = await restartFleet(devices)
    const other = against === undefined ? undefined : await restartFleet(devices, against)
    return [
      {
        what: `${devices.toLocaleString('en')} devices are linked after a restart`,
        figures: { hearth: format(ours), ...(other && { other: format(other) }) },
        bars: [
          { unit: 's after it listens', value: ours.linkedAfterMs / 1_000, most: SECONDS },
          { unit: 'calls of a key failed', value: ours.failures, most: 0 },
          { unit: 'ms for a call meanwhile, p99', value: percentile(ours.callsMs, 0.99), most: OTHERS_MS },
        ],
      },
    ]
  },
}

function format({ backAfterMs, linkedAfterMs, cpuSeconds, calls, failures, callsMs }: Restart): string {
  const [after, listening] = [backAfterMs, linkedAfterMs].map((ms) => (ms / 1_000).toFixed(1))
  const others = `${calls} calls, ${failures} failed, p99 ${percentile(callsMs, 0.99).toFixed(0)} ms`
  return `${listening} s after it listens, ${after} s after it was killed; ${cpuSeconds.toFixed(1)} s of CPU with its start; ${others}`
}
