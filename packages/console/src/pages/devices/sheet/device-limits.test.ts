import { describe, expect, it } from 'vitest'
import type { Schemas } from '../../../api/client.ts'
import { findLimits } from './device-limits.ts'

type Device = Schemas['Device']
const sizing = { trainedLength: 32_768, cacheType: 'f16', gpuLayers: 33, layers: 33, why: '5.9 GiB are free' }
const model = (more: object) => ({ name: 'm', contextLength: 32_768, slots: 4, sizing, ...more })
const device = (more: object) =>
  ({ state: 'linked', latencyMs: 20, backend: { name: 'cuda' }, models: [model({})], library: null, ...more }) as Device
const texts = (one: Device) => findLimits(one).map(({ text }) => text)

describe('what limits a device', () => {
  it('is nothing if all of the model fits, and nothing is known while it is offline', () => {
    expect(texts(device({}))).toEqual([])
    expect(texts(device({ state: 'offline', latencyMs: 900 }))).toEqual([])
  })

  it('is said in words: a slow link, a cut context, layers on the CPU, a single slot', () => {
    expect(texts(device({ latencyMs: 650 }))).toEqual(['Its connection is slow: a round trip takes 650 ms.'])
    expect(texts(device({ models: [model({ contextLength: 8_192 })] }))).toEqual([
      'm has a context of 8K: 5.9 GiB are free.',
    ])
    expect(texts(device({ models: [model({ sizing: { ...sizing, gpuLayers: 20 } })] }))).toEqual([
      'm is too large for the graphics card: 13 of 33 layers run on the CPU, which is slower.',
    ])
    expect(texts(device({ models: [model({ slots: 1 })] }))).toEqual(['m answers one request at a time. Others wait.'])
  })

  it('is also the will of its owner', () => {
    const why = 'its owner turned this off. To allow it, ask.'
    expect(texts(device({ library: { isOpen: false, why } }))).toEqual([
      'Its models can’t be changed here: its owner turned this off. To allow it, ask.',
    ])
    expect(texts(device({ library: { isOpen: true, why: null } }))).toEqual([])
  })

  it('does not blame the graphics card of a machine that has none', () => {
    const one = device({ backend: { name: 'cpu' }, models: [model({ sizing: { ...sizing, gpuLayers: 0 } })] })
    expect(texts(one)).toEqual([])
  })
})
