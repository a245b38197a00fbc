// Native samplers for several choices. Each sampler has a list as long as the vocabulary, and filling it takes longest while drawing. If native
// calls run one at a time, choices with the same settings share a sampler, and its list stays in the processor's cache.

import type { Native, NativeSampler, SamplerConfig } from '../native/native.ts'

type Samplers = Pick<Native, 'createSampler' | 'isSerial'>

export interface LentSampler {
  readonly sampler: NativeSampler
  giveBack(): void
}

interface Shared {
  readonly sampler: NativeSampler
  users: number
}

const shared = new WeakMap<Samplers, Map<string, Shared>>()

/** Only for settings that don't depend on the tokens drawn so far. The seed is that of the first user. */
export function lendSampler(native: Samplers, config: SamplerConfig): LentSampler {
  if (native.isSerial) return share(native, config)
  const sampler = createSampler(native, config)
  return { sampler, giveBack: () => sampler.dispose() }
}

function share(native: Samplers, config: SamplerConfig): LentSampler {
  const all = shared.get(native) ?? new Map<string, Shared>()
  shared.set(native, all)
  const key = keyOf(config)
  const found = all.get(key) ?? { sampler: createSampler(native, config), users: 0 }
  all.set(key, found)
  found.users++
  return { sampler: found.sampler, giveBack: () => giveBack(all, key, found) }
}

function giveBack(all: Map<string, Shared>, key: string, found: Shared): void {
  if (--found.users > 0) return
  all.delete(key)
  found.sampler.dispose()
}

function createSampler(native: Samplers, config: SamplerConfig): NativeSampler {
  const sampler = native.createSampler()
  sampler.applyConfig(config)
  return sampler
}

function keyOf({ temperature, topP, topK, minP, tokenBiasKeys, tokenBiasValues }: SamplerConfig): string {
  return [temperature, topP, topK, minP, tokenBiasKeys?.join(), tokenBiasValues?.join()].join(';')
}
