// Why requests would fail right now, or soon, for /readyz.

import type { AccessBook } from '../access/book/access-book.ts'
import type { BetweenGateways, Fleet } from '../fleet/fleet.ts'
import { MACHINE_CHECKS, type MachineProblems } from '../observe/machine-health.ts'

export interface ReadinessOptions {
  book: AccessBook
  fleet: Fleet
  needsDevice: boolean
  isLeaving: () => boolean
}

/** What every gateway needs, by name, each `ok` or what is wrong. */
export function listChecks(book: AccessBook, problems: MachineProblems): Record<string, string> {
  const store = book.isStoreSilent ? `the database has not answered for ${Math.floor(book.silentMs / 1_000)} s` : 'ok'
  return { store, ...Object.fromEntries(MACHINE_CHECKS.map((check) => [check, problems[check] ?? 'ok'])) }
}

/** Problems that will stop the gateway if they last; empty if all is well. */
export function listWarnings(checks: Record<string, string>, fleet: Fleet): string[] {
  const { between } = fleet.stats()
  const failing = Object.values(checks).filter((problem) => problem !== 'ok')
  return between ? [...failing, ...listFleetWarnings(between)] : failing
}

function listFleetWarnings({ bus, peers }: BetweenGateways): string[] {
  const warnings = []
  if (!bus.isConnected) warnings.push('the message bus is gone: devices of other gateways cannot be reached')
  if (peers.isWithoutDatabase) warnings.push('this gateway cannot renew its entry in the database')
  if (!peers.isSettled) warnings.push('the gateways have not agreed on who they are yet')
  if (peers.isIsolated) warnings.push('the other gateways do not hear this one: it schedules nothing until they do')
  if (!peers.hasLeadership) warnings.push('this gateway may not schedule: the requests of its organizations wait')
  return warnings
}

/** Empty when the gateway is ready. */
export function listReasonsNotReady({ book, fleet, needsDevice, isLeaving }: ReadinessOptions): string[] {
  const reasons = []
  const { between } = fleet.stats()
  if (isLeaving()) reasons.push('shutting down')
  if (between?.peers.hasJoined === false) reasons.push('this gateway has not joined the others yet')
  if (!book.isFresh) reasons.push('the store is not responding')
  if (needsDevice && !isAnyModelServed(fleet, book)) reasons.push('no device serves an enabled model')
  return reasons
}

function isAnyModelServed(fleet: Fleet, book: AccessBook): boolean {
  return fleet
    .stats()
    .served.some(({ organization, model }) => book.models(organization).get(model)?.state === 'enabled')
}
