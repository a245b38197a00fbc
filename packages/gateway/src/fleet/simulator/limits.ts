// How long gateways wait in simulated worlds.

import { FLEET_LIMITS, type FleetLimits } from '../roles.ts'

/** Of one gateway: small, so that every limit is reached often. */
export const SHORT_LIMITS: FleetLimits = {
  waitMs: 12_000,
  patienceMs: 700,
  acceptMs: 400,
  hedgeMs: 80,
  firstEventMs: 3_000,
  gapMs: 1_500,
  totalMs: 9_000,
  returnMs: 600,
  cancelMs: 200,
  queuePerKey: 12,
  queuePerOrganization: 30,
  attempts: 3,
  crashes: 2,
  // Time passes fast here, and samples change no decision: a few are enough.
  sampleMs: 60_000,
}

/** Of several gateways: nothing in their worlds takes longer than seconds, so a job that reaches one of the long limits has hung. */
export const LONG_LIMITS: FleetLimits = {
  ...FLEET_LIMITS,
  waitMs: 200_000,
  acceptMs: 4_000,
  hedgeMs: 300,
  firstEventMs: 300_000,
  gapMs: 300_000,
  returnMs: 3_000,
  cancelMs: 1_000,
}

/** Nobody gives an attempt up because a message is slow. */
export const PATIENT_LIMITS: FleetLimits = { ...LONG_LIMITS, acceptMs: 100_000, hedgeMs: 100_000 }
