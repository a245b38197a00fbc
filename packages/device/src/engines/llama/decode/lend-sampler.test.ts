import { describe, expect, it } from 'vitest'
import { lendSampler } from './lend-sampler.ts'

function createFake(isSerial: boolean) {
  const created: { isDisposed: boolean }[] = []
  const createSampler = () => {
    const sampler = { isDisposed: false, applyConfig: () => undefined, dispose: () => void (sampler.isDisposed = true) }
    created.push(sampler)
    return sampler
  }
  return { native: { isSerial, createSampler }, created }
}

describe('lent samplers', () => {
  it('are shared by choices with the same settings, until the last one gives it back', () => {
    const { native, created } = createFake(true)
    const biases = { tokenBiasKeys: Uint32Array.of(3), tokenBiasValues: Float32Array.of(1) }
    const [one, same] = [1, 2].map((seed) => lendSampler(native, { temperature: 1, seed, ...biases }))
    const others = [lendSampler(native, { temperature: 1 }), lendSampler(native, { temperature: 2, ...biases })]
    expect(same!.sampler).toBe(one!.sampler)
    expect(new Set([one, ...others].map((lent) => lent!.sampler)).size).toBe(3)
    one!.giveBack()
    expect(created[0]!.isDisposed).toBe(false)
    same!.giveBack()
    expect(created[0]!.isDisposed).toBe(true)
    expect(lendSampler(native, { temperature: 1, ...biases }).sampler).not.toBe(one!.sampler)
  })

  it('belong to one choice if native calls run at the same time', () => {
    const { native, created } = createFake(false)
    const [one, other] = [lendSampler(native, { temperature: 1 }), lendSampler(native, { temperature: 1 })]
    expect(one.sampler).not.toBe(other.sampler)
    one.giveBack()
    expect(created.map(({ isDisposed }) => isDisposed)).toEqual([true, false])
  })
})
