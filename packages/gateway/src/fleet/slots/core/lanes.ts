// The lanes of an organization, by model.

import { Lane } from './state.ts'

export class Lanes {
  readonly #lanes = new Map<string, Lane>()
  /** Lanes that changed since they were last served: a waiting job may be able to start there. */
  readonly touched: Lane[] = []

  touch(lane: Lane): void {
    if (lane.isTouched) return
    lane.isTouched = true
    this.touched.push(lane)
  }

  /** Something has changed that concerns all jobs that wait. */
  touchWaiting(): void {
    for (const lane of this.#lanes.values()) if (lane.queue.length > 0) this.touch(lane)
  }

  find(model: string): Lane | undefined {
    return this.#lanes.get(model)
  }

  open(model: string): Lane {
    const known = this.#lanes.get(model)
    if (known !== undefined) return known
    const lane = new Lane(model)
    this.#lanes.set(model, lane)
    return lane
  }

  /** Forgets the lane if it has neither jobs nor devices. */
  tidy(lane: Lane): void {
    if (lane.served.length > 0 || !lane.queue.isIdle || lane.seconds.size > 0 || lane.lost.size > 0) return
    if (this.#lanes.get(lane.model) === lane) this.#lanes.delete(lane.model)
  }

  all(): Iterable<Lane> {
    return this.#lanes.values()
  }
}
