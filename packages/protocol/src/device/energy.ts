// The electricity that a device takes, as far as its machine can measure it. Nothing here is verified, and nothing depends on it.

import { MAX_WATT_HOURS, MAX_WATTS } from '../limits.ts'
import { asText, readAmount, readList, type Fields } from '../read-fields.ts'

/** The processor with its memory, or graphics cards. */
export type EnergyPart = 'processor' | 'gpu'

export interface Energy {
  /** The parts that the machine measures. Everything else it takes is not in the figures. */
  parts: EnergyPart[]
  /** Right now. */
  watts: number
  /** Since midnight UTC, while the device app ran. */
  wattHoursToday: number
}

const PARTS: readonly EnergyPart[] = ['processor', 'gpu']
const MAX_PARTS = 16

export function readEnergy(fields: Fields): Energy {
  const named = readList(fields, 'parts', MAX_PARTS, asText)
  return {
    // A newer device may measure more; each part counts once.
    parts: PARTS.filter((part) => named.includes(part)),
    watts: readAmount(fields, 'watts', MAX_WATTS),
    wattHoursToday: readAmount(fields, 'wattHoursToday', MAX_WATT_HOURS),
  }
}
