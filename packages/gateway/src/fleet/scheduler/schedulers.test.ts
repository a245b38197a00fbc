import { beforeEach, describe, expect, it } from 'vitest'
import { aModel } from '../../testing/memory-device.ts'
import { fixedPeers } from '../peers/testing/fixed-peers.ts'
import { recordedGateways } from '../testing/recorded-gateways.ts'
import type { Message, SlotReport } from '../terms/messages.ts'
import { SCHEDULER_LIMITS } from './core/types.ts'
import { Schedulers } from './schedulers.ts'

const ALL = ['front', 'scheduler', 'hub']

describe('Schedulers', () => {
  const peers = fixedPeers(ALL)
  const organization = ['a', 'b', 'c', 'd', 'e'].find(
    (name) => peers.of('scheduler').view.schedulerOf(name) === 'scheduler',
  )!
  let schedulers: Schedulers
  let now: number
  beforeEach(() => {
    now = 0
    peers.set(ALL)
    schedulers = open()
  })

  function open(): Schedulers {
    return new Schedulers({
      peers: peers.of('scheduler'),
      limits: SCHEDULER_LIMITS,
      clock: { now: () => now, after: () => () => {} },
      gateways: { ...recordedGateways(closeSuperseded, 'scheduler'), isReachable: (peer) => peer === 'scheduler' },
      onServed: () => {},
    })
  }

  /** A gateway whose own link is superseded closes it at once. */
  function closeSuperseded(message: Message, to: string | undefined): void {
    if (message.type === 'superseded' && to === 'scheduler')
      schedulers.deviceDown(organization, message.device, message.epoch, to)
  }

  it('forget what they heard before the gateway was removed', () => {
    syncAll('front', 'old-device')
    peers.set(['front', 'hub'])
    schedulers.peersChanged([])
    now += 60_000
    peers.set(ALL)
    schedulers.peersChanged([])
    syncAll('front', 'new-device')
    schedulers.syncDone(generation(), 'scheduler')
    // It waits for peers that it can't reach as long as any new scheduler does.
    expect(schedulers.leasing().organizations).toBe(0)
    now += 10_000
    schedulers.openReady()
    expect(schedulers.leasing()).toEqual({ organizations: 1, takenOver: 1 })
    expect(devices()).toEqual(['new-device'])
  })

  it('remember what others said before the gateway knew that it had joined', () => {
    const known = generation()
    peers.set([])
    schedulers = open()
    schedulers.syncStarted(known + 2, 'front')
    schedulers.report(organization, aDevice('device', 1), 'front')
    schedulers.peersChanged([])
    peers.set(ALL)
    schedulers.peersChanged([])
    expect(generation()).toBe(known + 2)
    expect(devices()).toEqual(['device'])
  })

  it('forget the devices that a gateway does not name again after its link broke', () => {
    syncAll('front', 'old-device')
    schedulers.cutOff('front')
    syncAll('front', 'other-device')
    expect(devices()).toEqual(['other-device'])
  })

  it('keep an organization whose only device has a newer link elsewhere', () => {
    for (const [epoch, from] of ['scheduler', 'front', 'hub'].entries()) syncAll(from, 'device', epoch)
    expect(devices()).toEqual(['device'])
  })

  it('ignore what is meant for the scheduler before', () => {
    const other = ['a', 'b', 'c', 'd', 'e'].find(
      (name) => peers.of('scheduler').view.schedulerOf(name) !== 'scheduler',
    )!
    schedulers.report(other, aDevice('d', 1), 'front')
    expect(schedulers.has(other)).toBe(false)
    schedulers.syncStarted(generation() + 1, 'front')
    schedulers.report(other, aDevice('d', 1), 'front')
    expect(schedulers.has(other)).toBe(true)
  })

  function generation(): number {
    return peers.of('scheduler').view.generation
  }

  function syncAll(from: string, device: string, epoch = 1): void {
    schedulers.syncStarted(generation(), from)
    schedulers.report(organization, aDevice(device, epoch), from)
    schedulers.syncDone(generation(), from)
  }

  function aDevice(device: string, epoch: number): SlotReport {
    const models = [aModel('m')]
    return { device, epoch, edition: 1, boot: 'b', address: 'a', models, isDraining: false, taken: [] }
  }

  function devices(): string[] | undefined {
    return schedulers.statsOf(organization)?.served.map(({ device }) => device)
  }
})
