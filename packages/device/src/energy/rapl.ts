// The processor with its memory, by the energy counters of Intel and AMD processors ("RAPL"). Linux shows them as files, on most machines
// only to root.

import { join } from 'node:path'
import { listFolder } from '../system/list-folder.ts'
import { readText } from '@hearth/command-line/files/read-text'
import type { Meter, Reading } from './meter.ts'

/** A counter of microjoules. It starts again at 0 when it would exceed `range`. */
interface Counter {
  microjoules: number
  range: number
}

type Counters = ReadonlyMap<string, Counter>

const FOLDER = 'sys/class/powercap'
/** `intel-rapl-mmio:0` would be the same processor a second time. AMD's counters have Intel's names too. */
const ZONE = /^[a-z]+-rapl:\d+(:\d+)?$/
/** The other zones are parts of these, or the whole machine as few of them measure it. */
const COUNTED = /^(package-\d+(-die-\d+)?|dram)$/
/** No processor takes more. Counters that start anew, after a sleep for example, look like it. */
const MOST_WATTS = 5_000

/** `root` is where the file system begins: '/', except in tests. */
export function createProcessorMeter(root = '/'): Meter {
  let before: { counters: Counters; at: number } | undefined
  return {
    part: 'processor',
    read(now) {
      const counters = readCounters(join(root, FOLDER))
      const last = before
      before = counters.size === 0 ? undefined : { counters, at: now }
      return Promise.resolve(compare(last, before))
    },
  }
}

function compare(before: { counters: Counters; at: number } | undefined, after: typeof before): Reading {
  if (after === undefined) return { kind: 'none' }
  if (before === undefined || after.at <= before.at) return { kind: 'begun' }
  const watts = microjoulesBetween(before.counters, after.counters) / 1_000 / (after.at - before.at)
  return watts > MOST_WATTS ? { kind: 'begun' } : { kind: 'power', watts }
}

/** A zone that came or went says nothing. */
function microjoulesBetween(before: Counters, after: Counters): number {
  let sum = 0
  for (const [zone, { microjoules, range }] of after) {
    const last = before.get(zone)?.microjoules
    if (last !== undefined) sum += microjoules >= last ? microjoules - last : range - last + microjoules
  }
  return sum
}

function readCounters(folder: string): Counters {
  const counters = new Map<string, Counter>()
  for (const zone of listFolder(folder).filter((name) => ZONE.test(name))) {
    const read = (file: string): string => (readText(join(folder, zone, file)) ?? '').trim()
    if (!COUNTED.test(read('name'))) continue
    const [microjoules, range] = [toCount(read('energy_uj')), toCount(read('max_energy_range_uj'))]
    if (microjoules !== undefined && range !== undefined && microjoules <= range)
      counters.set(zone, { microjoules, range })
  }
  return counters
}

function toCount(text: string): number | undefined {
  const value = Number(text)
  return /^\d+$/.test(text) && Number.isSafeInteger(value) ? value : undefined
}
