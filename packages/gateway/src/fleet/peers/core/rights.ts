// Which organizations a gateway may schedule, as far as views decide it. A view is settled once all its peers have acknowledged it: then
// nobody acts under an older one. Whoever schedules an organization in a settled view and in every view that it took up since may schedule it.
// So a scheduler that stays the scheduler never pauses, and a new one waits until its predecessor has stopped.

import type { View } from './view.ts'

export class Rights {
  readonly #self: string
  /** The settled view and those after it; empty before the first one is settled. */
  #views: readonly View[] = []
  readonly #known = new Map<string, boolean>()

  constructor(self: string) {
    this.#self = self
  }

  takeUp(view: View): void {
    if (this.#views.length > 0) this.#replace([...this.#views, view])
  }

  settle(view: View): void {
    if (!this.isSettled(view)) this.#replace([view])
  }

  drop(): void {
    this.#replace([])
  }

  isSettled(view: View): boolean {
    return this.#views.length === 1 && this.#views[0] === view
  }

  include(organization: string): boolean {
    const known = this.#known.get(organization)
    if (known !== undefined) return known
    const isScheduler =
      this.#views.length > 0 && this.#views.every((view) => view.schedulerOf(organization) === this.#self)
    this.#known.set(organization, isScheduler)
    return isScheduler
  }

  #replace(views: readonly View[]): void {
    this.#views = views
    this.#known.clear()
  }
}
