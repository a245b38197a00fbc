import type { AccessModel, Place } from '../store/store.ts'
import type { KnownRows } from './followed-table.ts'

export type OrganizationModels = ReadonlyMap<string, AccessModel>

const NO_MODELS: OrganizationModels = new Map()

export class KnownModels implements KnownRows<AccessModel> {
  readonly #models = new Map<string, Map<string, AccessModel>>()
  readonly #onLost: (model: AccessModel) => void

  /** `onLost` is called with models that were enabled. */
  constructor(onLost: (model: AccessModel) => void) {
    this.#onLost = onLost
  }

  of(organization: string): OrganizationModels {
    return this.#models.get(organization) ?? NO_MODELS
  }

  put(row: AccessModel): void {
    const models = this.#models.get(row.organization) ?? new Map<string, AccessModel>()
    const before = models.get(row.name)
    this.#models.set(row.organization, models.set(row.name, row))
    if (before?.state === 'enabled' && row.state !== 'enabled') this.#onLost(before)
  }

  drop({ organization, id }: Place): void {
    const models = this.#models.get(organization)
    const before = models?.get(id)
    models?.delete(id)
    if (models?.size === 0) this.#models.delete(organization)
    if (before?.state === 'enabled') this.#onLost(before)
  }

  placeOf({ organization, name }: AccessModel): Place {
    return { organization, id: name }
  }

  *places(): Iterable<Place> {
    for (const models of this.#models.values()) for (const model of models.values()) yield this.placeOf(model)
  }
}
