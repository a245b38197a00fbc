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

  list(): { organization: string; model: string }[] {
    const served = [...this.#schedulers.values()].flatMap((organizations) => [...organizations])
    const byOrganization = new Map<string, Set<string>>()
    for (const [organization, models] of served)
      byOrganization.set(organization, new Set([...(byOrganization.get(organization) ?? []), ...models]))
    return [...byOrganization].flatMap(([organization, models]) =>
      [...models].map((model) => ({ organization, model })),
    )
  }
}
