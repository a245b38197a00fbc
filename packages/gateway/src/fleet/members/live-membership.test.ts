import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useDatabases } from '../../testing/databases.ts'
import { MembersWorld } from './testing/members-world.ts'

const [, postgres] = useDatabases()

describe('gateways that share a PostgreSQL and a bus', () => {
  let world: MembersWorld
  beforeEach(async () => {
    world = new MembersWorld(await postgres.create())
    for (const name of ['ada', 'bo', 'cy']) await world.add(name)
    await world.until(() => world.isSettled())
  })
  afterEach(() => world.close())

  it('[N46] share the organizations, and agree on who schedules which', () => {
    expect(new Set(world.owners().flat())).toEqual(new Set(['ada', 'bo', 'cy']))
    const views = world.gateways.map(({ membership }) => membership.members)
    expect(views[1]).toEqual(views[0])
    expect(views[2]).toEqual(views[0])
  })

  it('[N46a] hand organizations to a gateway that joins, and go on with the others without a pause', async () => {
    const before = world.owners()
    await world.add('di')
    let kept = before
    await world.until(() => {
      kept = kept.map((owners, index) => (world.owners()[index]?.[0] === owners[0] ? owners : []))
      return world.isSettled() && world.gateways.length === 4
    })
    const after = world.owners()
    expect(after.flat()).toContain('di')
    expect(kept).toEqual(before.map((owners, index) => (after[index]![0] === owners[0] ? owners : [])))
  })

  it('[N46b] take over from a gateway that leaves within a second', async () => {
    const [ada] = world.gateways.splice(0, 1)
    const left = ada!.membership.leave()
    expect(world.owners().some((owners) => owners.includes('ada'))).toBe(false)
    expect(await world.until(() => world.isSettled())).toBeLessThan(1_000)
    await left
    expect(ada!.membership.members).toEqual([])
  })

  it('[N46c] take over from a gateway that dies within five seconds', async () => {
    world.kill(world.gateways[0]!)
    expect(await world.until(() => world.isSettled())).toBeLessThan(5_000)
    expect(world.gateways.map(({ membership }) => membership.members.length)).toEqual([2, 2])
  })

  it('[N46d] a gateway that is stopped for half a minute owns nothing when it goes on, and joins again', async () => {
    const [ada] = world.gateways
    ada!.isPaused = true
    await world.pass(30_000)
    ada!.isPaused = false
    expect(world.owners().every((owners) => owners.length === 1 && owners[0] !== 'ada')).toBe(true)
    await world.until(() => world.isSettled() && world.owners().flat().includes('ada'))
    expect(ada!.messages.join()).toContain('away for too long')
  })

  it('[N46e] go on while nobody reaches the database, and when it is back', async () => {
    const before = world.owners()
    for (const database of ['away', 'silent', 'there'] as const) {
      for (const gateway of world.gateways) gateway.database = database
      for (let second = 0; second < 20; second++) {
        await world.pass(1_000)
        expect(world.owners()).toEqual(before)
      }
    }
    expect(world.gateways[0]!.messages.join()).toMatch(/cannot be renewed.*renewed again/)
  })

  it('[N46f] take over from a gateway that alone misses the database', async () => {
    const [ada] = world.gateways
    ada!.database = 'away'
    const isOver = () => world.owners().every((owners) => owners.length === 1 && owners[0] !== 'ada')
    expect(await world.until(isOver)).toBeLessThan(5_000)
    expect(ada!.messages.join()).toContain('the lease has run out')
    ada!.database = 'there'
    await world.until(() => world.isSettled() && world.owners().flat().includes('ada'))
  })

  it('[N46g] agree without the bus too', async () => {
    world.bus.kill()
    world.kill(world.gateways[0]!)
    await world.until(() => world.isSettled())
    expect(world.gateways.map(({ membership }) => membership.members.length)).toEqual([2, 2])
  })

  it('[N46h] take over from a gateway that they do not hear, until they have heard it for a while', async () => {
    const before = world.owners()
    const [ada, bo] = world.gateways
    world.bus.kill('ada')
    const isOver = () => world.owners().every((owners) => owners.length === 1 && owners[0] !== 'ada')
    expect(await world.until(isOver)).toBeLessThan(5_000)
    expect(ada!.membership.status()).toMatchObject({ isMember: true, isSetAside: true, hasLease: true })
    expect(bo!.messages.join()).toContain('the others do not hear some gateways')
    await world.pass(20_000)
    expect(isOver()).toBe(true)
    world.bus.revive('ada')
    expect(await world.until(() => world.owners().flat().includes('ada'))).toBeGreaterThan(3_000)
    await world.until(() => world.isSettled())
    expect(world.owners()).toEqual(before)
    expect(bo!.messages.join()).toContain('all gateways hear each other again')
  })

  it('[N46i] keep their organizations when nobody hears another one', async () => {
    const before = world.owners()
    for (const cut of [() => world.bus.kill(), () => world.bus.partition(['ada'], ['bo'], ['cy'])]) {
      cut()
      for (let second = 0; second < 20; second++) {
        await world.pass(1_000)
        expect(world.owners()).toEqual(before)
      }
      world.bus.revive()
    }
  })

  it('[N46i] give nothing back to a gateway when the bus is gone again', async () => {
    world.bus.kill('ada')
    await world.until(() => world.gateways[0]!.membership.status().isSetAside)
    await world.until(() => world.isSettled())
    const owners = world.owners()
    world.bus.revive('ada')
    await world.pass(2_000)
    world.bus.kill()
    await world.pass(10_000)
    expect(world.owners()).toEqual(owners)
    world.bus.revive()
    await world.until(() => world.owners().flat().includes('ada'))
  })

  it('[N46j] a gateway that loses the bus hands everything to the only other one', async () => {
    const [, bo, cy] = world.gateways
    world.gateways.pop()
    await Promise.all([cy!.membership.leave(), world.until(() => world.isSettled())])
    world.bus.kill('bo')
    const isOver = () => world.owners().every((owners) => owners.join() === 'ada')
    expect(await world.until(isOver)).toBeLessThan(5_000)
    world.bus.revive('bo')
    await world.until(() => world.isSettled() && !bo!.membership.status().isSetAside)
  })

  it('[N45a] a gateway of another version says so and serves nothing until the others are gone', async () => {
    const next = await world.add('next', '2')
    await world.pass(5_000)
    expect(next.membership.members).toEqual([])
    expect(next.messages.filter((message) => message.includes('another version'))).toHaveLength(1)
    await Promise.all([
      ...world.gateways.splice(0, 3).map(({ membership }) => membership.leave()),
      world.until(() => world.isSettled()),
    ])
    expect(next.membership.members.map(({ id }) => id)).toEqual(['next'])
  })

  it('[N47] link epochs grow across gateways', async () => {
    const epochs: number[] = []
    for (const { membership } of [...world.gateways, ...world.gateways]) epochs.push(await membership.nextEpoch())
    expect(epochs).toEqual(epochs.toSorted((one, other) => one - other))
    expect(new Set(epochs).size).toBe(6)
  })
})
