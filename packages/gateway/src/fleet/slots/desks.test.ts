import { beforeEach, describe, expect, it } from 'vitest'
import { aModel } from '../../testing/memory-device.ts'
import { fixedPeers } from '../peers/testing/fixed-peers.ts'
import type { DeviceStatement } from '../terms/messages.ts'
import { LESSOR_LIMITS } from './core/types.ts'
import { Desks } from './desks.ts'

const ALL = ['front', 'lessor', 'home']

describe('Desks', () => {
  const peers = fixedPeers(ALL)
  const organization = ['a', 'b', 'c', 'd', 'e'].find((name) => peers.of('lessor').view.schedulerOf(name) === 'lessor')!
  let desks: Desks
  let now: number
  beforeEach(() => {
    now = 0
    peers.set(ALL)
    desks = open()
  })

  function open(): Desks {
    return new Desks({
      peers: peers.of('lessor'),
      limits: LESSOR_LIMITS,
      clock: { now: () => now, after: () => () => {} },
      // A gateway whose own link is superseded closes it at once.
      send: (to, message) => {
        if (message.type === 'superseded' && to === 'lessor')
          desks.take(to, organization, { ...message, type: 'device-down', organization })
      },
      isReachable: (peer) => peer === 'lessor',
    })
  }

  it('[N50] forget what they heard before the gateway was removed', () => {
    stateAll('front', 'old-device')
    peers.set(['front', 'home'])
    desks.peersChanged([])
    now += 60_000
    peers.set(ALL)
    desks.peersChanged([])
    stateAll('front', 'new-device')
    desks.stated('lessor', generation())
    // It waits for peers that it can't reach as long as any new lessor does.
    expect(desks.leasing().organizations).toBe(0)
    now += 10_000
    desks.openReady()
    expect(desks.leasing()).toEqual({ organizations: 1, takenOver: 1 })
    expect(devices()).toEqual(['new-device'])
  })

  it('[N50] remember what others said before the gateway knew that it had joined', () => {
    const known = generation()
    peers.set([])
    desks = open()
    desks.stating('front', known + 2)
    desks.take('front', organization, { type: 'device', organization, device: aDevice('device', 1) })
    desks.peersChanged([])
    peers.set(ALL)
    desks.peersChanged([])
    expect(generation()).toBe(known + 2)
    expect(devices()).toEqual(['device'])
  })

  it('[N50] forget the devices that a gateway does not name again after its link broke', () => {
    stateAll('front', 'old-device')
    desks.cutOff('front')
    stateAll('front', 'other-device')
    expect(devices()).toEqual(['other-device'])
  })

  it('[N50] keep an organization whose only device has a newer link elsewhere', () => {
    for (const [epoch, from] of ['lessor', 'front', 'home'].entries()) stateAll(from, 'device', epoch)
    expect(devices()).toEqual(['device'])
  })

  it('ignore what is meant for the lessor before', () => {
    const other = ['a', 'b', 'c', 'd', 'e'].find((name) => peers.of('lessor').view.schedulerOf(name) !== 'lessor')!
    desks.take('front', other, { type: 'device', organization: other, device: aDevice('d', 1) })
    expect(desks.has(other)).toBe(false)
    desks.stating('front', generation() + 1)
    desks.take('front', other, { type: 'device', organization: other, device: aDevice('d', 1) })
    expect(desks.has(other)).toBe(true)
  })

  function generation(): number {
    return peers.of('lessor').view.generation
  }

  function stateAll(from: string, device: string, epoch = 1): void {
    desks.stating(from, generation())
    desks.take(from, organization, { type: 'device', organization, device: aDevice(device, epoch) })
    desks.stated(from, generation())
  }

  function aDevice(device: string, epoch: number): DeviceStatement {
    const models = [aModel('m')]
    return { device, epoch, edition: 1, boot: 'b', address: 'a', models, isDraining: false, taken: [] }
  }

  function devices(): string[] | undefined {
    return desks.statsOf(organization)?.served.map(({ device }) => device)
  }
})
