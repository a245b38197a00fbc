import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { usePostgres } from '../../testing/use-postgres.ts'
import { describePeers } from '../stats.ts'
import { PeersWorld } from './testing/peers-world.ts'

const postgres = usePostgres()

describe('gateways that share a PostgreSQL and a bus', () => {
  let world: PeersWorld
  beforeEach(async () => {
    world = new PeersWorld(await postgres.createDatabase())
    for (const name of ['ada', 'bo', 'cy']) await world.add(name)
    await world.until(() => world.isSettled())
  })
  afterEach(() => world.close())

  it('share the organizations, and agree on who schedules which', () => {
    expect(new Set(world.schedulers().flat())).toEqual(new Set(['ada', 'bo', 'cy']))
    const views = world.gateways.map(({ peers }) => peers.view.all)
    expect(views[1]).toEqual(views[0])
    expect(views[2]).toEqual(views[0])
  })

  it('hand organizations to a gateway that joins, and go on with the others without a pause', async () => {
    const before = world.schedulers()
    await world.add('di')
    let kept = before
    await world.until(() => {
      kept = kept.map((schedulers, index) => (world.schedulers()[index]?.[0] === schedulers[0] ? schedulers : []))
      return world.isSettled() && world.gateways.length === 4
    })
    const after = world.schedulers()
    expect(after.flat()).toContain('di')
    expect(kept).toEqual(before.map((schedulers, index) => (after[index]![0] === schedulers[0] ? schedulers : [])))
  })

  it('take over from a gateway that leaves within a second', async () => {
    const [ada] = world.gateways.splice(0, 1)
    const left = ada!.peers.leave()
    expect(world.schedulers().some((schedulers) => schedulers.includes('ada'))).toBe(false)
    expect(await world.until(() => world.isSettled())).toBeLessThan(1_000)
    await left
    expect(ada!.peers.view.all).toEqual([])
  })

  it('take over from a gateway that dies within five seconds', async () => {
    world.kill(world.gateways[0]!)
    expect(await world.until(() => world.isSettled())).toBeLessThan(5_000)
    expect(world.gateways.map(({ peers }) => peers.view.all.length)).toEqual([2, 2])
  })

  it.each([
    ['while the bus goes on', 'server-1', 'nats'],
    ['with the bus, which has the same name again', 'server-2', 'nats'],
  ])('are replaced within seconds if all of them die %s', async (_, id, name) => {
    world.killAll()
    world.server = { id, name }
    for (const one of ['di', 'ed']) await world.add(one)
    expect(await world.until(() => world.isSettled())).toBeLessThan(6_000)
    expect(world.gateways.map(({ peers }) => peers.view.all.length)).toEqual([2, 2])
  })

  it('give way to a gateway that reaches the database when all of them miss it', async () => {
    for (const gateway of world.gateways) gateway.database = 'away'
    await world.pass(5_000)
    const before = world.schedulers()
    expect(before.every((schedulers) => schedulers.length === 1)).toBe(true)
    await world.add('di')
    const isOver = () => world.schedulers().every((schedulers) => schedulers.join() === 'di')
    expect(await world.until(isOver)).toBeLessThan(6_000)
  })

  it('a gateway that is stopped for half a minute schedules nothing when it goes on, and joins again', async () => {
    const [ada] = world.gateways
    world.stop(ada!)
    await world.pass(30_000)
    world.goOn(ada!)
    expect(world.schedulers().every((schedulers) => schedulers.length === 1 && schedulers[0] !== 'ada')).toBe(true)
    await world.until(() => world.isSettled() && world.schedulers().flat().includes('ada'))
    expect(ada!.messages.join()).toContain('away for too long')
  })

  it('go on while nobody reaches the database, and when it is back', async () => {
    const before = world.schedulers()
    for (const database of ['away', 'silent', 'there'] as const) {
      for (const gateway of world.gateways) gateway.database = database
      for (let second = 0; second < 20; second++) {
        await world.pass(1_000)
        expect(world.schedulers()).toEqual(before)
      }
    }
    expect(world.gateways[0]!.messages.join()).toMatch(/cannot be renewed.*renewed again/)
  })

  it('take over from a gateway that alone misses the database', async () => {
    const [ada] = world.gateways
    ada!.database = 'away'
    const isOver = () => world.schedulers().every((schedulers) => schedulers.length === 1 && schedulers[0] !== 'ada')
    expect(await world.until(isOver)).toBeLessThan(5_000)
    expect(ada!.messages.join()).toContain('the leadership has run out')
    ada!.database = 'there'
    await world.until(() => world.isSettled() && world.schedulers().flat().includes('ada'))
  })

  it('take over from a gateway that they do not hear, until they have heard it for a while', async () => {
    const before = world.schedulers()
    const [ada, bo] = world.gateways
    world.bus.kill('ada')
    const isOver = () => world.schedulers().every((schedulers) => schedulers.length === 1 && schedulers[0] !== 'ada')
    expect(await world.until(isOver)).toBeLessThan(5_000)
    expect(describePeers(ada!.peers)).toMatchObject({ hasJoined: true, isIsolated: true, hasLeadership: true })
    expect(bo!.messages.join()).toContain('the others do not hear some gateways')
    await world.pass(20_000)
    expect(isOver()).toBe(true)
    world.bus.revive('ada')
    expect(await world.until(() => world.schedulers().flat().includes('ada'))).toBeGreaterThanOrEqual(3_000)
    await world.until(() => world.isSettled())
    expect(world.schedulers()).toEqual(before)
    expect(bo!.messages.join()).toContain('all gateways hear each other again')
  })

  it('keep their organizations when nobody hears another one', async () => {
    const before = world.schedulers()
    for (const cut of [() => world.bus.kill(), () => world.bus.partition(['ada'], ['bo'], ['cy'])]) {
      cut()
      for (let second = 0; second < 20; second++) {
        await world.pass(1_000)
        expect(world.schedulers()).toEqual(before)
      }
      world.bus.revive()
    }
  })

  it('a gateway that loses the bus hands everything to the only other one', async () => {
    const [, bo, cy] = world.gateways
    world.gateways.pop()
    await Promise.all([cy!.peers.leave(), world.until(() => world.isSettled())])
    world.bus.kill('bo')
    const isOver = () => world.schedulers().every((schedulers) => schedulers.join() === 'ada')
    expect(await world.until(isOver)).toBeLessThan(5_000)
    world.bus.revive('bo')
    await world.until(() => world.isSettled() && !describePeers(bo!.peers).isIsolated)
  })

  it('a gateway of another version says so and serves nothing until the others are gone', async () => {
    const next = await world.add('next', '2')
    await world.pass(5_000)
    expect(next.peers.view.all).toEqual([])
    expect(next.messages.filter((message) => message.includes('another version'))).toHaveLength(1)
    await Promise.all([
      ...world.gateways.splice(0, 3).map(({ peers }) => peers.leave()),
      world.until(() => world.isSettled()),
    ])
    expect(next.peers.view.all.map(({ id }) => id)).toEqual(['next'])
  })
})
