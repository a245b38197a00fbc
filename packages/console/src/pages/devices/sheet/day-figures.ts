// The figures of a device's day. One that nobody can know is left out.

import type { Schemas } from '../../../api/client.ts'
import { formatCount, formatMs, formatShort } from '../../../lib/format.ts'
import { describeParts, formatEnergy, formatPower } from './format-energy.ts'

type Day = Schemas['DeviceDay']

export interface Figure {
  title: string
  value: string
  /** A few words below the value. */
  note?: string
}

/** `slots` are those that it has now; none while it is offline. */
export function workFigures(day: Day, slots: number, now: number): Figure[] {
  return [...requestFigures(day, slots, now), ...takeOverFigures(day)]
}

function requestFigures({ total, since }: Day, slots: number, now: number): Figure[] {
  if (total.requests === 0) return []
  const { requests, errors, promptTokens, completionTokens, busyMs } = total
  const elapsedMs = Math.max(now - new Date(since).getTime(), 1)
  return [
    { title: 'Requests', value: formatCount(requests) },
    { title: 'Tokens in', value: formatShort(promptTokens) },
    { title: 'Tokens out', value: formatShort(completionTokens) },
    { title: 'Errors', value: formatCount(errors), note: `${formatShare(errors / requests)} of requests` },
    {
      title: 'Device time',
      value: formatMs(busyMs),
      ...(slots > 0 && { note: `${formatShare(Math.min(busyMs / (elapsedMs * slots), 1))} of its slots’ time` }),
    },
  ]
}

/** The response of a device that goes away is continued by another one. */
function takeOverFigures({ takeOvers: { continued, handedOn }, total }: Day): Figure[] {
  if (total.requests + continued + handedOn === 0) return []
  const note = `and ${formatCount(handedOn)} of its own continued elsewhere`
  return [{ title: 'Continued for others', value: formatCount(continued), note }]
}

export function energyFigures({ energy, total: { promptTokens, completionTokens } }: Day): Figure[] {
  if (energy === null) return []
  const tokens = promptTokens + completionTokens
  const perMillion = (energy.wattHoursToday / tokens) * 1_000_000
  return [
    { title: 'Power now', value: formatPower(energy.watts), note: describeParts(energy.parts) },
    { title: 'Energy', value: formatEnergy(energy.wattHoursToday), note: 'while its app ran' },
    ...(tokens === 0 || energy.wattHoursToday === 0
      ? []
      : [{ title: 'Per million tokens', value: formatEnergy(perMillion), note: 'in and out, idle time included' }]),
  ]
}

function formatShare(share: number): string {
  const percent = share * 100
  return percent > 0 && percent < 1 ? 'under 1%' : `${Math.round(percent)}%`
}
