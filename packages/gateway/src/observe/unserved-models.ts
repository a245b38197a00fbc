// Says which models requests wait for in vain: whoever runs the gateway may be the one who can start a device.

import type { Fleet } from '../fleet/fleet.ts'
import { realClock } from '../time/clock.ts'
import { repeat } from '../time/repeat.ts'
import type { Log } from './log.ts'

const LOOK_MS = 2_500
/** Devices that start with the gateway, or again, are back by then. */
const WAIT_MS = 5_000
const MOST_AT_ONCE = 10

export class UnservedModels {
  #known = new Set<string>()

  /** Says each model once, until nothing waits for it any more. */
  look(unserved: Set<string>, log: Pick<Log, 'warn'>): void {
    const news = [...unserved].filter((model) => !this.#known.has(model)).slice(0, MOST_AT_ONCE)
    this.#known = unserved
    for (const model of news)
      log.warn(
        { model },
        'a request waits for a model that no device serves; start a device that has it, or download it under Models in the console',
      )
  }
}

/** Looks until the returned function is called. */
export function watchUnserved(fleet: Fleet, log: Log): () => void {
  const models = new UnservedModels()
  return repeat(realClock, LOOK_MS, () => models.look(fleet.unserved(WAIT_MS), log))
}
