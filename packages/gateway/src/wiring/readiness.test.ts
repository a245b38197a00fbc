import { describe, expect, it } from 'vitest'
import type { AccessBook } from '../access/book/access-book.ts'
import type { BetweenGateways, Fleet, FleetStats } from '../fleet/fleet.ts'
import { listChecks, listReasonsNotReady, listWarnings } from './readiness.ts'

function check({ isFresh = true, isLeaving = false, needsDevice = false, served = [] as FleetStats['served'] }) {
  const models = new Map([['enabled', { state: 'enabled' }]])
  const book = { isFresh, models: () => models } as unknown as AccessBook
  const fleet = { stats: () => ({ served }) } as unknown as Fleet
  return listReasonsNotReady({ book, fleet, needsDevice, isLeaving: () => isLeaving })
}

function oneOfSeveral(status: Partial<BetweenGateways['peers']>, isConnected = true): Fleet {
  const peers = { hasJoined: true, hasLeadership: true, isSettled: true, isWithoutDatabase: false, ...status }
  return { stats: () => ({ between: { bus: { isConnected }, peers } }) } as unknown as Fleet
}

describe('readiness', () => {
  it('depends on the store and on shutting down', () => {
    expect(check({})).toEqual([])
    expect(check({ isFresh: false })).toEqual(['the store is not responding'])
    expect(check({ isLeaving: true })).toEqual(['shutting down'])
  })

  it('warns while the store is silent', () => {
    const fleet = { stats: () => ({}) } as Fleet
    const warn = (silentMs: number) =>
      listWarnings(listChecks({ silentMs, isStoreSilent: silentMs > 0 } as AccessBook, {}), fleet)
    expect([warn(0), warn(37_900)]).toEqual([[], ['the database has not answered for 37 s']])
  })

  it('names what every gateway needs, and warns of what fails', () => {
    const checks = listChecks({ isStoreSilent: false } as AccessBook, { disk: 'full' })
    expect(checks).toEqual({ store: 'ok', disk: 'full', journal: 'ok', clock: 'ok', descriptors: 'ok' })
    expect(listWarnings(checks, { stats: () => ({}) } as Fleet)).toEqual(['full'])
  })

  it('warns while the message bus is gone', () => {
    const warn = (isConnected: boolean) => listWarnings({}, oneOfSeveral({}, isConnected))
    expect(warn(true)).toEqual([])
    expect(warn(false)).toEqual(['the message bus is gone: devices of other gateways cannot be reached'])
  })

  it('warns while the gateway may not schedule, the gateways disagree or the database is missing', () => {
    const warn = (status: Partial<BetweenGateways['peers']>) => listWarnings({}, oneOfSeveral(status))
    expect(warn({ isWithoutDatabase: true })).toEqual(['this gateway cannot renew its entry in the database'])
    expect(warn({ isSettled: false })).toEqual(['the gateways have not agreed on who they are yet'])
    expect(warn({ isIsolated: true })).toEqual([
      'the other gateways do not hear this one: it schedules nothing until they do',
    ])
    expect(warn({ hasLeadership: false })).toEqual([
      'this gateway may not schedule: the requests of its organizations wait',
    ])
  })

  it('depends on having joined the other gateways', () => {
    const book = { isFresh: true } as AccessBook
    const list = (hasJoined: boolean) =>
      listReasonsNotReady({ book, fleet: oneOfSeveral({ hasJoined }), needsDevice: false, isLeaving: () => false })
    expect([list(true), list(false)]).toEqual([[], ['this gateway has not joined the others yet']])
  })

  it('depends on a device for an enabled model if the operator wants it', () => {
    const missing = ['no device serves an enabled model']
    expect(check({ needsDevice: true })).toEqual(missing)
    expect(check({ needsDevice: true, served: [{ organization: 'o', model: 'disabled' }] })).toEqual(missing)
    expect(check({ needsDevice: true, served: [{ organization: 'o', model: 'enabled' }] })).toEqual([])
  })
})
