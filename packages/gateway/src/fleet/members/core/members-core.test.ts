import { beforeEach, describe, expect, it } from 'vitest'
import { Database } from '../simulator/database.ts'
import { MembersCore } from './members-core.ts'
import { TIMING } from './timing.ts'

const ORGANIZATIONS = Array.from({ length: 20 }, (_, index) => `organization-${index}`)

describe('MembersCore', () => {
  let database: Database
  let now: number
  beforeEach(() => {
    database = new Database()
    now = 1_000
  })

  it('owns everything once it is the only member', () => {
    const ada = start('ada')
    step(ada)
    expect(ada.mayOwn('acme', now)).toBe(false)
    step(ada)
    expect([ada.mayOwn('acme', now), ada.ownerOf('acme'), ada.generation]).toEqual([true, 'ada', 1])
  })

  it('[N40a] an owner goes on while others join, and a new one waits until all have acknowledged', () => {
    const ada = settle(start('ada'))
    const bo = start('bo')
    step(bo, 3)
    const moved = ORGANIZATIONS.filter((organization) => bo.ownerOf(organization) === 'bo')
    const kept = ORGANIZATIONS.filter((organization) => !moved.includes(organization))
    expect(owned(bo)).toEqual([])
    expect(owned(ada)).toEqual(ORGANIZATIONS)
    // Takes up the new view, and stops what moves before it acknowledges.
    step(ada)
    expect(owned(ada)).toEqual(kept)
    step(bo)
    expect(owned(bo)).toEqual([])
    step(ada)
    step(bo)
    expect([owned(ada), owned(bo)]).toEqual([kept, moved])
  })

  it('[N42] a gateway that was away for longer than its lease owns nothing, and comes back with a higher number', () => {
    const [ada, bo] = [settle(start('ada')), start('bo')]
    settle(bo, ada)
    const before = bo.number!
    for (let passed = 0; passed < 30_000; passed += 500) {
      now += 500
      step(ada, 2)
    }
    expect(owned(bo)).toEqual([])
    expect(owned(ada)).toEqual(ORGANIZATIONS)
    step(bo, 2)
    expect(bo.number).toBeGreaterThan(before)
    settle(bo, ada)
    expect([...owned(ada), ...owned(bo)].toSorted()).toEqual(ORGANIZATIONS.toSorted())
  })

  it('counts the lease from before the statement', () => {
    const ada = settle(start('ada'))
    const sentAt = now
    const statement = ada.begin(now)
    now += 900
    ada.ended(database.run(statement), now)
    expect(ada.mayOwn('acme', sentAt + TIMING.leaseMs - 1)).toBe(true)
    expect(ada.mayOwn('acme', sentAt + TIMING.leaseMs)).toBe(false)
  })

  it('[N43a] gateways that all miss the database go on as long as they hear each other', () => {
    const [ada, bo] = [settle(start('ada')), start('bo')]
    settle(bo, ada)
    for (let passed = 0; passed < 60_000; passed += 500) {
      now += 500
      fail(ada, bo)
      talk(ada, bo)
      talk(bo, ada)
    }
    expect([...owned(ada), ...owned(bo)].toSorted()).toEqual(ORGANIZATIONS.toSorted())
    now += TIMING.vouchMs
    expect([owned(ada), owned(bo)]).toEqual([[], []])
  })

  it('[N43b] a gateway that alone misses the database stops when its lease runs out', () => {
    const [ada, bo] = [settle(start('ada')), start('bo')]
    settle(bo, ada)
    for (let passed = 0; passed < TIMING.leaseMs; passed += 500) {
      now += 500
      step(ada)
      fail(bo)
      talk(ada, bo)
      talk(bo, ada)
    }
    expect(owned(bo)).toEqual([])
  })

  it('[N43c] goes on without the database for the grace period at most', () => {
    const [ada, bo] = [settle(start('ada')), start('bo')]
    settle(bo, ada)
    for (let passed = 0; passed < TIMING.graceMs; passed += 500) {
      now += 500
      fail(ada, bo)
      talk(ada, bo)
      talk(bo, ada)
    }
    expect([owned(ada), owned(bo)]).toEqual([[], []])
  })

  it('says at once that it has lost the bus', () => {
    const ada = settle(start('ada'))
    talk(ada, ada)
    step(ada)
    expect(heardBy('ada')).toEqual([ada.number])
    ada.busLost(now)
    expect(ada.dueAt).toBe(now)
    step(ada)
    expect(heardBy('ada')).toEqual([])
  })

  it('[N45] a gateway of another version waits until the others are gone', () => {
    const ada = settle(start('ada'))
    const next = start('next', '2')
    step(next)
    expect([next.number, next.members]).toEqual([undefined, []])
    ada.leave(now)
    step(ada)
    step(next, 3)
    expect(owned(next)).toEqual(ORGANIZATIONS)
  })

  function start(id: string, version = '1'): MembersCore {
    return new MembersCore({ id, version, timing: TIMING })
  }

  function step(core: MembersCore, times = 1): void {
    for (let time = 0; time < times; time++) core.ended(database.run(core.begin(now)), now)
  }

  function fail(...cores: MembersCore[]): void {
    for (const core of cores) {
      core.begin(now)
      core.ended({ name: 'failed' }, now)
    }
  }

  function settle(core: MembersCore, ...others: MembersCore[]): MembersCore {
    while (!core.isSettled || others.some((other) => !other.isSettled))
      for (const each of [core, ...others]) step(each, 1)
    return core
  }

  function talk(from: MembersCore, to: MembersCore): void {
    to.hear(from.heartbeat(now)!, now)
  }

  function heardBy(id: string): readonly number[] | undefined {
    return [...database.rows.values()].find((row) => row.id === id)?.hears
  }

  function owned(core: MembersCore): string[] {
    return ORGANIZATIONS.filter((organization) => core.mayOwn(organization, now))
  }
})
