import type { BenchOptions } from '../measure.ts'
import { startHearth, type Hearth, type HearthOptions } from './hearth.ts'

/** This gateway, and with --against the one of another checkout. */
export async function startCheckouts({ against }: BenchOptions, options: HearthOptions): Promise<Hearth[]> {
  const ours = await startHearth(options)
  return against === undefined ? [ours] : [ours, await startHearth({ ...options, checkout: against })]
}
