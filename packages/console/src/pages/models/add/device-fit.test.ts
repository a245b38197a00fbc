import { describe, expect, it } from 'vitest'
import type { Shapes } from '../../../api/client.ts'
import { bestDevice, fitOn, orderByFit, summarizeFit } from './device-fit.ts'

type Device = Shapes['Device']

const GB = 1_000_000_000
const needs = { name: 'qwen3:8b', bytes: 5 * GB, memoryBytes: 6 * GB }

function device(
  name: string,
  library: Partial<NonNullable<Device['library']>> | null,
  more: Partial<Device> = {},
): Device {
  const open = { isOpen: true, why: null, diskFreeBytes: 100 * GB, memoryBytes: 16 * GB, models: [] }
  return {
    id: name,
    name,
    state: 'linked',
    isPaused: false,
    models: [],
    downloads: [],
    library: library && { ...open, ...library },
    ...more,
  } as unknown as Device
}

describe('where a model fits', () => {
  it('says what a device lacks', () => {
    expect(fitOn(device('d', {}), needs)).toEqual({ kind: 'fits', note: 'Fits, 100 GB of disk space free' })
    expect(fitOn(device('d', { memoryBytes: 4 * GB }), needs).note).toBe('Needs 2.0 GB more memory')
    expect(fitOn(device('d', { diskFreeBytes: 5 * GB }), needs).note).toBe('Needs 500 MB more disk space')
  })

  it('says why a device takes no models, and what to do', () => {
    expect(fitOn(device('d', null), needs).note).toMatch(/too old.*hearth-device update/)
    expect(fitOn(device('d', null, { state: 'offline' }), needs).note).toMatch(/^Offline\. Start the device app/)
    expect(fitOn(device('d', { isOpen: false, why: 'its owner turned this off' }), needs)).toEqual({
      kind: 'closed',
      note: 'Its owner turned this off.',
    })
    expect(fitOn(device('d', {}, { isPaused: true }), needs).note).toMatch(/serves after you resume it/)
  })

  it('knows which devices have it or are getting it', () => {
    expect(fitOn(device('d', { models: [{ name: 'qwen3:8b', bytes: 1 }] }), needs).kind).toBe('has')
    const downloads = [{ model: 'qwen3:8b' }] as Device['downloads']
    expect(fitOn(device('d', {}, { downloads }), needs).note).toBe('Already downloading it')
  })

  it('offers the largest models that fit first, and those that fit nowhere last', () => {
    const sizes = [1, 5, 40, 70].map((size) => ({ name: `${size}`, bytes: size * GB, memoryBytes: size * GB }))
    expect(orderByFit(sizes, [device('d', {})]).map(({ name }) => name)).toEqual(['5', '1', '40', '70'])
  })

  it('prefers the device with the most memory that is not paused', () => {
    const devices = [
      device('small', {}),
      device('large', { memoryBytes: 64 * GB }),
      device('paused', { memoryBytes: 99 * GB }, { isPaused: true }),
    ]
    expect(bestDevice(devices, needs)?.name).toBe('large')
    expect(bestDevice([device('tiny', { memoryBytes: 1 })], needs)).toBeUndefined()
    expect(summarizeFit([...devices, device('tiny', { memoryBytes: 4 * GB })], needs)).toEqual({
      fits: ['small', 'large', 'paused'],
      lacks: ['tiny (needs 2.0 GB more memory)'],
    })
  })
})
