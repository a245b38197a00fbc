// The requests of a run, as clients send them and devices read them: the same for the same seed.

import { capacityOf, Random, WORLDS, type World, type WorldRequest } from '@hearth/gateway/testing'
import type { ChatJob } from '@hearth/protocol'
import { MODEL } from '../gateway/tokens.ts'

export interface FleetRun {
  world: string
  /** The part of what the fleet can carry. */
  load: number
  seed: number
  seconds: number
}

/** The scheduler doesn't look at the temperature, so it carries the length of the answer to the device. */
const TEMPERATURE_PER_TOKEN = 1 / 1_000
const FILLING = 'Describe the way from the harbour to the old town hall. '

export function findWorld(name: string): World {
  const found = WORLDS.find((world) => world.name === name)
  if (found === undefined) throw new Error(`There is no fleet "${name}"`)
  return found
}

export function drawRequests({ world: name, load, seed, seconds }: FleetRun): WorldRequest[] {
  const world = findWorld(name)
  const requests: WorldRequest[] = []
  for (const request of world.requests(new Random(seed), 1 / (load * capacityOf(world)))) {
    if (request.at >= seconds * 1_000) break
    requests.push(request)
  }
  return requests
}

/** A message for each part of the prompt that a later one may begin with. Equal parts have equal texts. */
export function bodyOf({ at, tokens, promptSize, prefixes }: WorldRequest): string {
  const parts = prefixes.length === 0 ? [{ hash: at, size: promptSize }] : prefixes
  const messages = parts.map(({ hash, size }, turn) => {
    const length = size - (parts[turn - 1]?.size ?? 0)
    return { role: 'user', content: `${hash} `.padEnd(length, FILLING).slice(0, length) }
  })
  return JSON.stringify({ model: MODEL, messages, temperature: tokens * TEMPERATURE_PER_TOKEN, stream: true })
}

export function tokensOf({ temperature = 0 }: ChatJob): number {
  return Math.round(temperature / TEMPERATURE_PER_TOKEN)
}
