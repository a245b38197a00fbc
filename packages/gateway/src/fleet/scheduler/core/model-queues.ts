// The queues of an organization, by model.

import { ModelQueue } from './state.ts'

export class ModelQueues {
  readonly #queues = new Map<string, ModelQueue>()
  /** Queues that changed since they were last served: a waiting job may be able to start there. */
  readonly touched: ModelQueue[] = []

  touch(queue: ModelQueue): void {
    if (queue.isTouched) return
    queue.isTouched = true
    this.touched.push(queue)
  }

  /** Something has changed that concerns all jobs that wait. */
  touchWaiting(): void {
    for (const queue of this.#queues.values()) if (queue.waiting.length > 0) this.touch(queue)
  }

  find(model: string): ModelQueue | undefined {
    return this.#queues.get(model)
  }

  open(model: string): ModelQueue {
    const known = this.#queues.get(model)
    if (known !== undefined) return known
    const queue = new ModelQueue(model)
    this.#queues.set(model, queue)
    return queue
  }

  /** Forgets the queue if it has neither jobs nor devices. */
  tidy(queue: ModelQueue): void {
    if (queue.served.length > 0 || !queue.waiting.isIdle || queue.seconds.size > 0 || queue.lost.size > 0) return
    if (this.#queues.get(queue.model) === queue) this.#queues.delete(queue.model)
  }

  all(): Iterable<ModelQueue> {
    return this.#queues.values()
  }
}
