import type { Native, NativeSampler, SamplerConfig } from '../../native/native.ts'

/** Dispose of it when its choice has ended. */
export function createSampler(native: Pick<Native, 'createSampler'>, config: SamplerConfig): NativeSampler {
  const sampler = native.createSampler()
  sampler.applyConfig(config)
  return sampler
}
