// At the end of each world, when all is calm: first one gateway loses the bus, and then all of them do. Both have a clear right answer.

import { TIMING } from '../../peers/core/timing.ts'
import type { SimulatedCore } from './simulated-core.ts'
import { demand } from '../violation.ts'
import type { Cores } from './cores.ts'

/** Calls it after every step. */
export type Check = (cores: Cores) => void

/** Until nothing from before the calm is on its way. */
const LATE_MS = 13_000
const TAKE_OVER_MS = 5_000
const RETURN_MS = TIMING.returnMs + 4_000
const ALL_SILENT_MS = 10_000

export function checkSilence(world: Cores, organizations: readonly string[], check: Check): void {
  // Now and then, the last gateway of a world leaves just before the calm.
  if (world.alive.length === 0) return
  const schedulersOf = () => organizations.map((name) => world.alive.find((gateway) => gateway.maySchedule(name)))
  const until = (isSo: () => boolean, limitMs: number, what: string) => {
    const { clock } = world
    for (const end = clock.now + limitMs; !isSo();) {
      clock.advance()
      check(world)
      demand(clock.now < end, () => `${what}: not after ${limitMs} ms`)
    }
  }
  const { network, random, clock } = world
  const isHeard = () => schedulersOf().every(Boolean) && joined(world).every(({ core }) => isWhole(core))
  const quietAt = world.calmAt! + LATE_MS
  until(() => clock.now > quietAt && isHeard(), LATE_MS + RETURN_MS, 'all are heard after the faults')
  if (joined(world).length < 2) return

  const silent = random.pick(joined(world))
  network.cutFromBus.add(silent.name)
  const isTakenOver = () => schedulersOf().every((scheduler) => scheduler !== undefined && scheduler !== silent)
  until(isTakenOver, TAKE_OVER_MS, 'the others take over from a gateway that they do not hear')
  network.cutFromBus.delete(silent.name)
  until(isHeard, RETURN_MS, 'it is heard again')

  const before = schedulersOf()
  for (const { name } of world.alive) network.cutFromBus.add(name)
  for (const end = clock.now + ALL_SILENT_MS; clock.now < end;) {
    clock.advance()
    check(world)
    demand(isSame(schedulersOf(), before), () => 'schedulers changed although no gateway hears another one')
  }
}

function joined({ alive }: Cores): SimulatedCore[] {
  return alive.filter(({ core }) => core.number !== undefined)
}

function isWhole({ view: { all } }: SimulatedCore['core']): boolean {
  return all.every(({ isSetAside }) => !isSetAside)
}

function isSame<Item>(some: readonly Item[], others: readonly Item[]): boolean {
  return some.every((item, index) => item === others[index])
}
