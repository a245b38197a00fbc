// Every frame that a device can send is tried at its largest, by many devices of one organization, over and over: what the gateway keeps of
// them stays within the bound of the table.

import { MAX_FRAME_BYTES, parseDeviceFrames, type DeviceFrame } from '@hearth/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { BOUNDS } from '../../packages/gateway/src/testing/bounds/bounds.ts'
import { DEVICE_FRAMES } from '../../packages/gateway/src/testing/bounds/doors.ts'
import { openBudgets } from '../../packages/gateway/src/budget/memory-budgets.ts'
import { Fleet } from '../../packages/gateway/src/fleet/fleet.ts'
import { alone } from '../../packages/gateway/src/fleet/peers/alone.ts'
import { QUIET } from '../../packages/gateway/src/fleet/testing/open-gateways.ts'
import { settledHeapBytes } from '../../packages/gateway/src/testing/settled-heap.ts'
import { goldenFrame } from '../fuzz/inputs/golden-frames.ts'

const MIB = 1024 * 1024
const DEVICES = 60
const REPEATS = 3
/** What else a link takes, and what the engine has not given back yet. */
const SLACK_BYTES = 8 * MIB
const SOCKET = { send: () => undefined, close: () => undefined, bufferedBytes: 0 }
const BOUND_BYTES = BOUNDS.reports.most.reduce((sum, { value }) => sum + value, 0)

const types = Object.keys(DEVICE_FRAMES) as DeviceFrame['type'][]

type Path = readonly (string | number)[]

/** Grows each text and each list of the sample, one after the other, as long as the gateway takes the frame. */
function largest(type: DeviceFrame['type']): string {
  let frame: unknown = goldenFrame(type)
  for (const path of pathsIn(frame))
    for (let length = 2; length <= 2 ** 14; length *= 2) {
      const larger = change(frame, path, (value) => grow(value, length))
      const text = JSON.stringify(larger)
      if (text.length > MAX_FRAME_BYTES || !isTaken(text)) break
      frame = larger
    }
  return JSON.stringify(frame)
}

/** Inner ones first, so that a list repeats entries that are large already. */
function pathsIn(value: unknown, at: Path = []): Path[] {
  if (typeof value === 'string') return at[0] === 'type' ? [] : [at]
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([key, field]) => pathsIn(field, [...at, key]))
  return Array.isArray(value) ? [...inner, at] : inner
}

function change(value: unknown, [key, ...rest]: Path, edit: (value: unknown) => unknown): unknown {
  if (key === undefined) return edit(value)
  const copy = structuredClone(value) as Record<string, unknown>
  copy[key] = change(copy[key], rest, edit)
  return copy
}

function grow(value: unknown, length: number): unknown {
  if (typeof value === 'string') return value.padEnd(length, 'x')
  return Array.isArray(value) ? Array.from({ length }, (_, index) => value[index % value.length]) : value
}

function isTaken(text: string): boolean {
  try {
    parseDeviceFrames(text, () => {})
    return true
  } catch {
    return false
  }
}

function openFleet(): Fleet {
  const budgets = openBudgets({ totalBytes: undefined, heapLimitBytes: 512 * MIB, maxBodyBytes: 20 * MIB })
  const silent = { onRecord: () => {}, onPresence: () => {}, onConflict: () => {} }
  const defaults = { defaultsOf: () => undefined, templatedModels: () => [] }
  const fleet = new Fleet({ ...QUIET, ...silent, defaults, budgets, limits: {} }, alone())
  onTestFinished(() => fleet.drain(0))
  return fleet
}

async function connect(fleet: Fleet, id: string) {
  const accept = await fleet.accept({ id, organization: 'acme', name: id })
  return accept(SOCKET)
}

describe(`of ${DEVICES} devices, the gateway keeps no more than the table says`, () => {
  it.each(types)('of the largest frame: %s', async (type) => {
    const fleet = openFleet()
    const [hello, frame] = [JSON.stringify(goldenFrame('hello')), largest(type)]
    const before = await settledHeapBytes()
    for (let device = 0; device < DEVICES; device++) {
      const link = await connect(fleet, `d${device}`)
      if (type !== 'hello') link.receive(hello, performance.now())
      for (let sent = 0; sent < REPEATS; sent++) link.receive(frame, performance.now())
    }
    expect((await settledHeapBytes()) - before).toBeLessThan(BOUND_BYTES + SLACK_BYTES)
  })
})
