// Power and energy in the units that people know from their bills.

import type { Schemas } from '../../../api/client.ts'

type Energy = NonNullable<Schemas['DeviceEnergy']>

/** "7.5 W", "312 W", "1.2 kW" */
export function formatPower(watts: number): string {
  return formatAmount(watts, 'W')
}

/** "0.5 Wh", "840 Wh", "1.8 kWh" */
export function formatEnergy(wattHours: number): string {
  return formatAmount(wattHours, 'Wh')
}

function formatAmount(value: number, unit: string): string {
  if (value >= 999.5) return `${(value / 1_000).toFixed(1)} k${unit}`
  return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)} ${unit}`
}

/** The parts that the figures are about. A newer gateway may know some that this console doesn't. */
export function describeParts(parts: Energy['parts']): string {
  if (parts.includes('processor') && parts.includes('gpu')) return 'processor and GPU'
  if (parts.includes('gpu')) return 'GPU only'
  return parts.includes('processor') ? 'processor only' : ''
}
