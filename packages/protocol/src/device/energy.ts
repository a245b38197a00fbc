// The electricity that a device takes, as far as its machine can measure it. Nothing here is
// verified, and nothing depends on it.

import { MAX_WATT_HOURS, MAX_WATTS } from '../limits.ts'
import { asText } from '../read-fields.ts'
import { amount, list, object, type ValueOf } from '../shapes.ts'

/** The processor with its memory, or graphics cards. */
export type EnergyPart = 'processor' | 'gpu'

const PARTS: readonly EnergyPart[] = ['processor', 'gpu']
const readNames = list(16, asText)

export const energy = object({
  /** The parts that the machine measures. Everything else it takes is not in the figures. */
  parts: (value, name): EnergyPart[] => {
    const named = readNames(value, name)
    // A newer device may measure more; each part counts once.
    return PARTS.filter((part) => named.includes(part))
  },
  /** Right now. */
  watts: amount(MAX_WATTS),
  /** Since midnight UTC, while the device app ran. */
  wattHoursToday: amount(MAX_WATT_HOURS),
})

export type Energy = ValueOf<typeof energy>
