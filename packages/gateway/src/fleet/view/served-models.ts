// The models that take jobs, as their schedulers say. An organization that moves may be known from two of them for a moment.

/** Of one scheduler. They are shown in the metrics only. */
export const MOST_ORGANIZATIONS = 100_000

export class ServedModels {
  readonly #schedulers = new Map<string, Map<string, readonly string[]>>()

  note(scheduler: string, organization: string, models: readonly string[]): void {
    const served = this.#schedulers.get(scheduler) ?? new Map<string, readonly string[]>()
    this.#schedulers.set(scheduler, served)
    if (models.length === 0) served.delete(organization)
    else if (served.has(organization) || served.size < MOST_ORGANIZATIONS) served.set(organization, models)
  }

  forget(scheduler: string): void {
    this.#schedulers.delete(scheduler)
  }

  has({ organization, model }: { organization: string; model: string }): boolean {
    return this.#schedulers.values().some((served) => served.get(organization)?.includes(model) === true)
  }

  list(): { organization: string; model: string }[] {
    const served = new Map<string, { organization: string; model: string }>()
    for (const organizations of this.#schedulers.values())
      for (const [organization, models] of organizations)
        for (const model of models) served.set(`${organization} ${model}`, { organization, model })
    return [...served.values()]
  }
}
