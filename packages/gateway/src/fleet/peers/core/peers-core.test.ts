import { beforeEach, describe, expect, it } from 'vitest'
import { Database } from '../../simulator/database.ts'
import { createParts, PeersCore } from './peers-core.ts'
import { TIMING } from './timing.ts'

const ORGANIZATIONS = Array.from({ length: 20 }, (_, index) => `organization-${index}`)

describe('PeersCore', () => {
  let database: Database
  let now: number
  beforeEach(() => {
    database = new Database()
    now = 1_000
  })

  it('schedules everything once it is the only one', () => {
    const ada = start('ada')
    step(ada)
    expect(ada.maySchedule('acme', now)).toBe(false)
    step(ada)
    expect([ada.maySchedule('acme', now), ada.view.schedulerOf('acme'), ada.view.generation]).toEqual([true, 'ada', 1])
  })

  it('[N40] a scheduler goes on while others join, and a new one waits until all have acknowledged', () => {
    const ada = settle(start('ada'))
    const bo = start('bo')
    step(bo, 3)
    const moved = ORGANIZATIONS.filter((organization) => bo.view.schedulerOf(organization) === 'bo')
    const kept = ORGANIZATIONS.filter((organization) => !moved.includes(organization))
    expect(scheduled(bo)).toEqual([])
    expect(scheduled(ada)).toEqual(ORGANIZATIONS)
    // Takes up the new view, and stops what moves before it acknowledges.
    step(ada)
    expect(scheduled(ada)).toEqual(kept)
    step(bo)
    expect(scheduled(bo)).toEqual([])
    step(ada)
    step(bo)
    expect([scheduled(ada), scheduled(bo)]).toEqual([kept, moved])
  })

  it('[N40] a gateway that was away for longer than its mandate schedules nothing, and comes back with a higher number', () => {
    const [ada, bo] = [settle(start('ada')), start('bo')]
    settle(bo, ada)
    const before = bo.number!
    for (let passed = 0; passed < 30_000; passed += 500) {
      now += 500
      step(ada, 2)
    }
    expect(scheduled(bo)).toEqual([])
    expect(scheduled(ada)).toEqual(ORGANIZATIONS)
    step(bo, 2)
    expect(bo.number).toBeGreaterThan(before)
    settle(bo, ada)
    expect([...scheduled(ada), ...scheduled(bo)].toSorted()).toEqual(ORGANIZATIONS.toSorted())
  })

  it('counts the mandate from before the query', () => {
    const ada = settle(start('ada'))
    const sentAt = now
    const query = ada.begin(now)
    now += 900
    ada.ended(database.run(query), now)
    expect(ada.maySchedule('acme', sentAt + TIMING.mandateMs - 1)).toBe(true)
    expect(ada.maySchedule('acme', sentAt + TIMING.mandateMs)).toBe(false)
  })

  it('[N43] gateways that all miss the database go on as long as they hear each other', () => {
    const [ada, bo] = [settle(start('ada')), start('bo')]
    settle(bo, ada)
    for (let passed = 0; passed < 60_000; passed += 500) {
      now += 500
      fail(ada, bo)
      talk(ada, bo)
      talk(bo, ada)
    }
    expect([...scheduled(ada), ...scheduled(bo)].toSorted()).toEqual(ORGANIZATIONS.toSorted())
    now += TIMING.vouchMs
    expect([scheduled(ada), scheduled(bo)]).toEqual([[], []])
  })

  it('[N43] a gateway that alone misses the database stops when its mandate runs out', () => {
    const [ada, bo] = [settle(start('ada')), start('bo')]
    settle(bo, ada)
    for (let passed = 0; passed < TIMING.mandateMs; passed += 500) {
      now += 500
      step(ada)
      fail(bo)
      talk(ada, bo)
      talk(bo, ada)
    }
    expect(scheduled(bo)).toEqual([])
  })

  it('[N43] goes on without the database for the grace period at most', () => {
    const [ada, bo] = [settle(start('ada')), start('bo')]
    settle(bo, ada)
    for (let passed = 0; passed < TIMING.graceMs; passed += 500) {
      now += 500
      fail(ada, bo)
      talk(ada, bo)
      talk(bo, ada)
    }
    expect([scheduled(ada), scheduled(bo)]).toEqual([[], []])
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
    expect([next.number, next.view.all]).toEqual([undefined, []])
    ada.leave(now)
    step(ada)
    step(next, 3)
    expect(scheduled(next)).toEqual(ORGANIZATIONS)
  })

  function start(id: string, version = '1'): PeersCore {
    const core = new PeersCore({ id, version, timing: TIMING, parts: createParts(id, TIMING) })
    core.busConnected({ id: 'server' })
    return core
  }

  function step(core: PeersCore, times = 1): void {
    for (let time = 0; time < times; time++) core.ended(database.run(core.begin(now)), now)
  }

  function fail(...cores: PeersCore[]): void {
    for (const core of cores) {
      core.begin(now)
      core.ended({ name: 'failed' }, now)
    }
  }

  function settle(core: PeersCore, ...others: PeersCore[]): PeersCore {
    const all = [core, ...others]
    while (!all.every(({ isSettled }) => isSettled)) for (const each of all) step(each)
    // From here on, others vouch for it.
    for (const each of all) talk(each, each)
    for (const each of all) step(each)
    return core
  }

  function talk(from: PeersCore, to: PeersCore): void {
    to.hear(from.heartbeat(now)!, now)
  }

  function heardBy(id: string): readonly number[] | undefined {
    return [...database.rows.values()].find((row) => row.id === id)?.hears
  }

  function scheduled(core: PeersCore): string[] {
    return ORGANIZATIONS.filter((organization) => core.maySchedule(organization, now))
  }
})
