import { describe, expect, it } from 'vitest'
import type { Sighting } from '../store/devices/devices.ts'
import { DeviceSightings } from './device-sightings.ts'

const [FIRST, SECOND] = [new Date(1_000), new Date(2_000)]

function open() {
  const writes: Sighting[][] = []
  const errors: unknown[] = []
  const state = { isDown: false, endPause: () => {} }
  const pauses: number[] = []
  const sightings = new DeviceSightings({
    store: {
      devicesSeen: async (seen) => {
        if (state.isDown) throw new Error('down')
        writes.push([...seen])
      },
    },
    onError: (error) => errors.push(error),
    pause: (ms, signal) => {
      pauses.push(ms)
      const { promise, resolve } = Promise.withResolvers<void>()
      signal.addEventListener('abort', () => resolve())
      state.endPause = resolve
      return promise
    },
  })
  /** Ends the pause, and waits for the write that follows, up to the next pause or the end. */
  const endPause = async () => {
    state.endPause()
    await new Promise(setImmediate)
  }
  return { sightings, writes, errors, pauses, state, endPause }
}

describe('sightings of devices', () => {
  it('are written together, the latest of each device, with a pause between two writes', async () => {
    const { sightings, writes, pauses, endPause } = open()
    for (let times = 0; times < 1_000; times++) sightings.note({ device: 'd1', app: `${times}`, at: FIRST })
    sightings.note({ device: 'd2', app: '1', at: FIRST })
    await endPause()
    const latest = { device: 'd1', app: '999', at: FIRST }
    expect(writes).toEqual([[latest, { device: 'd2', app: '1', at: FIRST }]])
    sightings.note({ device: 'd1', at: SECOND })
    expect(writes).toHaveLength(1)
    await endPause()
    expect(writes[1]).toEqual([{ device: 'd1', at: SECOND }])
    await endPause()
    expect(pauses).toEqual([100, 5_000, 5_000])
  })

  it('of thousands of devices are written in pieces', async () => {
    const { sightings, writes, endPause } = open()
    for (let number = 0; number < 1_200; number++) sightings.note({ device: `d${number}`, app: '1', at: FIRST })
    await endPause()
    expect(writes.map((piece) => piece.length)).toEqual([500, 500, 200])
  })

  it('are kept while the store is away, with the app of a device that left, and written at the end', async () => {
    const { sightings, writes, errors, state, endPause } = open()
    state.isDown = true
    sightings.note({ device: 'd1', app: '1', at: FIRST })
    await endPause()
    expect(errors).toHaveLength(1)
    sightings.note({ device: 'd1', at: SECOND })
    state.isDown = false
    await sightings.close()
    expect(writes).toEqual([[{ device: 'd1', app: '1', at: SECOND }]])
  })
})
