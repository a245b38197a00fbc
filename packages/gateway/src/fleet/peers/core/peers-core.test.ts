import { beforeEach, describe, expect, it } from 'vitest'
import { Database } from '../../simulator/service/database.ts'
import { PeersCore } from './peers-core.ts'
import { TIMING } from './timing.ts'

const ORGANIZATIONS = Array.from({ length: 20 }, (_, index) => `organization-${index}`)

describe('PeersCore', () => {
  let database: Database
  let now: number
  beforeEach(() => {
    database = new Database()
    now = 1_000
  })

  it('goes on without the database for the grace period at most', () => {
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

  function start(id: string, version = '1'): PeersCore {
    const core = new PeersCore({ id, version, timing: TIMING })
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
