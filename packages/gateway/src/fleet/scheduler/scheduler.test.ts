import { beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from './core/types.ts'
import { aModel } from '../../testing/memory-device.ts'
import { fixedPeers } from '../peers/testing/fixed-peers.ts'
import type { DeviceStatement, Statement } from '../messages.ts'
import { Owner } from './scheduler.ts'

const ALL = ['front', 'owner', 'home']

describe('Owner', () => {
  const peers = fixedPeers(ALL)
  const organization = ['a', 'b', 'c', 'd', 'e'].find((name) => peers.of('owner').schedulerOf(name) === 'owner')!
  let owner: Owner
  let now: number
  beforeEach(() => {
    now = 0
    peers.set(ALL)
    owner = new Owner({
      peers: peers.of('owner'),
      limits: DEFAULT_LIMITS,
      clock: { now: () => now, after: () => () => {} },
      // It closes the link at once if that is its own.
      send: (to, message) => {
        if (message.type === 'superseded' && to === 'owner')
          owner.take(to, organization, { ...message, type: 'device-down', organization })
      },
      isReachable: () => false,
      onServed: () => {},
    })
  })

  it('[N50d] forgets what it heard before it was removed', () => {
    stateAll('front', 'old-device')
    peers.set(['front', 'home'])
    owner.membersChanged([])
    now += 60_000
    peers.set(ALL)
    owner.membersChanged([])
    stateAll('front', 'new-device')
    // It waits for those that it can't reach as long as any new owner does.
    expect(owner.statsOf(organization)).toBeUndefined()
    now += 10_000
    owner.openReady()
    expect(devices()).toEqual(['new-device'])
  })

  it('[N50d] forgets what a gateway said before the link to it broke', () => {
    state('front', 'old-device')
    owner.linkUp('front')
    owner.stated('front', { generation: generation(), isAll: true })
    stateAll('home', 'other-device')
    owner.stated('owner', { generation: generation(), isAll: false })
    expect(devices()).toEqual(['other-device'])
  })

  it('[N50e] keeps an organization whose only device so far has a newer link elsewhere', () => {
    for (const [epoch, from] of ['owner', 'front', 'home'].entries()) stateAll(from, 'device', epoch)
    expect(devices()).toEqual(['device'])
  })

  it('[N50e] keeps an organization whose only device connects to another gateway', () => {
    for (const from of ALL) owner.stated(from, { generation: generation(), isAll: false })
    for (const [epoch, from] of ['owner', 'home'].entries())
      owner.take(from, organization, { type: 'device', organization, device: aDevice('device', epoch) })
    expect(devices()).toEqual(['device'])
  })

  function generation(): number {
    return peers.of('owner').generation
  }

  function stateAll(from: string, device: string, epoch = 1): void {
    state(from, device, epoch)
    owner.stated(from, { generation: generation(), isAll: false })
  }

  function state(from: string, device: string, epoch = 1): void {
    const statement: Statement = { organization, jobs: [], devices: [aDevice(device, epoch)] }
    owner.state(from, { generation: generation(), statement })
  }

  function aDevice(device: string, epoch: number): DeviceStatement {
    return { device, epoch, boot: 'b', address: 'a', models: [aModel('m')], isDraining: false, open: [] }
  }

  function devices(): string[] | undefined {
    return owner.statsOf(organization)?.served.map(({ device }) => device)
  }
})
