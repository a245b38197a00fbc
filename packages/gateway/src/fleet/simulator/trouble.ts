// Everything that goes wrong in one world of several gateways, planned in advance: so a plan that breaks a promise can be made smaller.

import type { Device } from './actors/device.ts'
import type { Random } from './random.ts'
import { happen, listKinds, OFTEN, SERVICE_TROUBLE, type Often, type Scene } from './service/service-trouble.ts'
import type { Sort } from './service/sorts.ts'
import type { World } from './world.ts'

export interface Trouble {
  at: number
  kind: keyof typeof CAUSES
  /** How long it lasts. */
  ms: number
  /** Chooses the gateway that it happens to. */
  which: number
}

const CROWD_TROUBLE = {
  'device-cut': ({ world }: Scene<World>) => cut(world, world.random.pick([...world.devices.values()])),
  'clients-leave': ({ world }: Scene<World>) => {
    for (const client of world.random.some([...world.clients.values()], 0.5)) client.leave()
  },
  'clients-pause': ({ world, ms }: Scene<World>) => {
    for (const client of world.random.some([...world.clients.values()], 0.5)) client.pause(Math.min(ms, 5_000))
  },
}

const CAUSES = { ...SERVICE_TROUBLE, ...CROWD_TROUBLE }
const OFTEN_IN_CROWDS: Often<keyof typeof CROWD_TROUBLE> = {
  'device-cut': [0, 0, 3, 0, 2, 3],
  'clients-leave': [0, 0, 1, 0, 1, 1],
  'clients-pause': [0, 0, 1, 0, 1, 0],
}

export function planTrouble(random: Random, untilMs: number, sort: Sort = 'several'): Trouble[] {
  const count = random.between(3, 25) * (sort === 'only-devices' ? 10 : 1)
  const kinds = [...listKinds(OFTEN, sort), ...listKinds(OFTEN_IN_CROWDS, sort)]
  const plan = Array.from({ length: count }, () => ({
    at: random.between(2_000, untilMs),
    kind: random.pick(kinds),
    ms: random.pick([100, 800, 2_500, 4_000, 7_000, 12_000, 30_000]),
    which: random.between(0, 1_000),
  }))
  return plan.toSorted((one, other) => one.at - other.at)
}

export function cause(world: World, { kind, ms, which }: Trouble): void {
  const gateway = world.exposed[which % Math.max(1, world.exposed.length)]
  happen(world, { kind, gateway, ms }, CAUSES[kind])
}

function cut({ random }: World, { link }: Device): void {
  const notice = () => (random.chance(0.2) ? undefined : random.pick([0, 50, 2_000]))
  link?.cut(notice(), notice())
}
