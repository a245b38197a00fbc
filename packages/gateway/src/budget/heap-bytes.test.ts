import { parseDeviceFrames, type DeviceFrame } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import { addToReport, NOTHING_REPORTED, type ReportFrame } from '../fleet/devices/device-memory.ts'
import type { DeviceReport } from '../fleet/terms/fleet-view.ts'
import { settledHeapBytes } from '../testing/settled-heap.ts'
import { heapBytes } from './heap-bytes.ts'

/** So much is kept of each report that what else the process lets go of meanwhile does not count. */
const KEPT_BYTES = 48 * 2 ** 20

/** One character beyond Latin-1 doubles the memory of a text. */
function wide(number: number, length: number): string {
  return `${number}研`.padEnd(length, 'x')
}

function each<Item>(make: (index: number) => Item): Item[] {
  return Array.from({ length: 256 }, (_, index) => make(index))
}

const files = (model: number) =>
  Array.from({ length: 36 }, (_, file) => {
    const sha256 = `${model * 1_000 + file}`.padStart(64, '0')
    return { name: `f${file}`, bytes: 2 ** 40 + file, sha256 }
  })

const longDownload = (index: number) => {
  const [model, source] = [wide(index, 256), wide(index, 2_048)]
  const bytes = { doneBytes: 2 ** 40 + index, totalBytes: 2 ** 41 + index, bytesPerSecond: 2 ** 42 + index }
  return { model, source, ...bytes, state: 'waiting' as const, by: wide(index, 256), problem: wide(index, 900) }
}

const kept = (index: number) => ({ name: `m${index}`, bytes: 2 ** 40 + index, source: `s${index}`, isDeletable: true })
const disk = { isOpen: true, diskFreeBytes: 2 ** 40, memoryBytes: 2 ** 41 }
const problems = each(() => ({ name: '', why: '', remedy: '' })).slice(0, 16)

const REPORTS: readonly [string, ReportFrame][] = [
  ['models without files', { type: 'shared', models: each(() => ({ name: '', files: [] })) }],
  ['many files', { type: 'shared', models: each((model) => ({ name: `m${model}`, files: files(model) })) }],
  ['short downloads', { type: 'downloads', downloads: each(() => ({ model: '', doneBytes: 0 })) }],
  ['long downloads', { type: 'downloads', downloads: each(longDownload) }],
  ['a library', { type: 'library', library: { ...disk, models: each(kept) } }],
  ['a back end', { type: 'backend', backend: { name: '', problems } }],
]

/** As it is kept after it came over a link. */
function keep(message: string): DeviceReport {
  let report = NOTHING_REPORTED
  parseDeviceFrames(message, (frame: DeviceFrame) => (report = addToReport(report, frame as ReportFrame)))
  return report
}

describe('the memory of a report', () => {
  it.each(REPORTS)('is no more than what is counted, and no less than a quarter of it: %s', async (_, frame) => {
    const message = JSON.stringify(frame)
    keep(message)
    const before = await settledHeapBytes()
    const kept = Array.from({ length: Math.ceil(KEPT_BYTES / heapBytes(frame)) }, () => keep(message))
    const taken = ((await settledHeapBytes()) - before) / kept.length
    expect(taken).toBeLessThanOrEqual(heapBytes(frame))
    expect(taken).toBeGreaterThan(heapBytes(frame) / 4)
  })
})
