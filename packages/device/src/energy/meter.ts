import type { EnergyPart } from '@hearth/protocol'

/** Measures the power of one part of the machine. */
export interface Meter {
  readonly part: EnergyPart
  /** `now` is in milliseconds, on a clock that only moves forward. Rejects only if the signal is aborted. */
  read(now: number, signal: AbortSignal): Promise<Reading>
}

export type Reading =
  /** The average since the last reading, or the power right now. */
  | { kind: 'power'; watts: number }
  /** There is nothing to compare with yet. */
  | { kind: 'begun' }
  /** The machine has no such meter, or doesn't let us read it. */
  | { kind: 'none' }
