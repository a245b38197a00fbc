import { beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from './core/types.ts'
import type { Reporter } from '../terms/job.ts'
import { aModel } from '../../testing/memory-device.ts'
import { fixedPeers } from '../peers/testing/fixed-peers.ts'
import type { DeskMessage, DeviceStatement, Report, Statement } from '../terms/messages.ts'
import { Scheduler } from './scheduler.ts'

const ALL = ['front', 'scheduler', 'home']
const MODEL = { ...aModel('m'), digest: 'f', features: ['resume' as const] }
const DELIVERED = { nextSequence: 1, tokens: 1, isShown: true }

describe('Scheduler', () => {
  const peers = fixedPeers(ALL)
  const organization = ['a', 'b', 'c', 'd', 'e'].find(
    (name) => peers.of('scheduler').schedulerOf(name) === 'scheduler',
  )!
  const granted: Reporter[] = []
  let scheduler: Scheduler
  let now: number
  let timers: (() => void)[]
  beforeEach(() => {
    now = 0
    timers = []
    granted.length = 0
    peers.set(ALL)
    scheduler = new Scheduler({
      peers: peers.of('scheduler'),
      limits: DEFAULT_LIMITS,
      clock: {
        now: () => now,
        after: (_ms, act) => {
          timers.push(act)
          return () => {}
        },
      },
      // A gateway whose own link is superseded closes it at once.
      send: (to, message) => {
        if (message.type === 'grant') granted.push(message.to)
        if (message.type === 'superseded' && to === 'scheduler')
          scheduler.take(to, organization, { ...message, type: 'device-down', organization })
      },
      isReachable: (peer) => peer === 'scheduler',
    })
  })

  it('[N50] forgets what it heard before it was removed', () => {
    stateAll('front', 'old-device')
    peers.set(['front', 'home'])
    scheduler.peersChanged([])
    now += 60_000
    peers.set(ALL)
    scheduler.peersChanged([])
    stateAll('front', 'new-device')
    scheduler.stated('scheduler', { generation: generation(), isAll: false })
    // The scheduler waits for peers that it can't reach as long as any new scheduler does.
    expect(scheduler.statsOf(organization)).toBeUndefined()
    now += 10_000
    scheduler.openReady()
    expect(devices()).toEqual(['new-device'])
  })

  it('[N50] forgets what a gateway said before the link to it broke', () => {
    state('front', 'old-device')
    scheduler.linkUp('front')
    scheduler.stated('front', { generation: generation(), isAll: true })
    stateAll('home', 'other-device')
    scheduler.stated('scheduler', { generation: generation(), isAll: false })
    expect(devices()).toEqual(['other-device'])
  })

  it('[N50] keeps an organization whose only device so far has a newer link elsewhere', () => {
    for (const [epoch, from] of ['scheduler', 'front', 'home'].entries()) stateAll(from, 'device', epoch)
    expect(devices()).toEqual(['device'])
  })

  it('[N50] keeps an organization whose only device connects to another gateway', () => {
    for (const from of ALL) scheduler.stated(from, { generation: generation(), isAll: false })
    for (const [epoch, from] of ['scheduler', 'home'].entries())
      scheduler.take(from, organization, { type: 'device', organization, device: aDevice('device', epoch) })
    expect(devices()).toEqual(['device'])
  })

  it('never counts less, also when an organization has nothing left here', () => {
    for (const from of ALL) scheduler.stated(from, { generation: generation(), isAll: false })
    for (const device of ['one', 'two']) take({ type: 'device', organization, device: aDevice(device, 1) })
    submit('a')
    pass(1_000)
    report(granted[1]!, { kind: 'accepted' })
    report(granted[0]!, { kind: 'over' })
    take({ type: 'report', organization, from: granted[1]!, report: { kind: 'delivered' }, delivered: DELIVERED })
    take({ type: 'device-down', organization, device: granted[1]!.device, epoch: 1 })
    report(granted[2]!, { kind: 'accepted' })
    const counted = { hedges: { offered: 1, won: 1 }, continued: 1 }
    expect(scheduler.stats()).toMatchObject({ ...counted, running: 1 })
    report(granted[2]!, { kind: 'ended', tokens: undefined })
    take({ type: 'device-down', organization, device: granted[2]!.device, epoch: 1 })
    expect(scheduler.has(organization)).toBe(false)
    expect(scheduler.stats()).toMatchObject({ ...counted, running: 0 })
  })

  function take(message: DeskMessage): void {
    scheduler.take('scheduler', organization, message)
  }

  function report(from: Reporter, said: Report): void {
    take({ type: 'report', organization, from, report: said, delivered: undefined })
  }

  function submit(job: string): void {
    const ticket = { job, organization, key: 'k', model: 'm', features: [], rerunnable: false, cost: 1 }
    take({ type: 'submit', organization, ticket: { ...ticket, promptSize: 1, prefixes: [] }, requestBytes: 0 })
  }

  /** A timer that is due reads first, and then acts. */
  function pass(ms: number): void {
    now += ms
    for (let step = 0; step < 2; step++) for (const due of timers.splice(0)) due()
  }

  function generation(): number {
    return peers.of('scheduler').generation
  }

  function stateAll(from: string, device: string, epoch = 1): void {
    state(from, device, epoch)
    scheduler.stated(from, { generation: generation(), isAll: false })
  }

  function state(from: string, device: string, epoch = 1): void {
    const statement: Statement = { organization, jobs: [], devices: [aDevice(device, epoch)] }
    scheduler.state(from, { generation: generation(), statement })
  }

  function aDevice(device: string, epoch: number): DeviceStatement {
    return { device, epoch, boot: 'b', address: 'a', models: [MODEL], isDraining: false, open: [] }
  }

  function devices(): string[] | undefined {
    return scheduler.statsOf(organization)?.served.map(({ device }) => device)
  }
})
