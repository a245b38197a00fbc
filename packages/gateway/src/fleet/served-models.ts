// The models that take jobs, as their owners say. An organization that moves may be known from two owners for a moment.

export class ServedModels {
  readonly #owners = new Map<string, Map<string, readonly string[]>>()

  note(owner: string, organization: string, models: readonly string[]): void {
    const served = this.#owners.get(owner) ?? new Map<string, readonly string[]>()
    this.#owners.set(owner, served)
    if (models.length > 0) served.set(organization, models)
    else served.delete(organization)
  }

  forget(owner: string): void {
    this.#owners.delete(owner)
  }

  list(): { organization: string; model: string }[] {
    const served = [...this.#owners.values()].flatMap((organizations) => [...organizations])
    const byOrganization = new Map<string, Set<string>>()
    for (const [organization, models] of served)
      byOrganization.set(organization, new Set([...(byOrganization.get(organization) ?? []), ...models]))
    return [...byOrganization].flatMap(([organization, models]) =>
      [...models].map((model) => ({ organization, model })),
    )
  }
}
