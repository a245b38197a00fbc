import type { Model } from '../../store/models.ts'
import type { RowKey } from '../../store/revisions/access-rows.ts'
import type { KnownRows } from './followed-table.ts'
import { KnownDefaults } from './known-defaults.ts'

export type OrganizationModels = ReadonlyMap<string, Model>

export interface ModelNews {
  /** The model was enabled, and no longer is. */
  onLost: (model: Model) => void
  onDefaults: (organization: string, model: string) => void
}

const NO_MODELS: OrganizationModels = new Map()

export class KnownModels implements KnownRows<Model> {
  readonly #models = new Map<string, Map<string, Model>>()
  readonly defaults: KnownDefaults
  readonly #onLost: (model: Model) => void

  constructor({ onLost, onDefaults }: ModelNews) {
    this.defaults = new KnownDefaults(onDefaults)
    this.#onLost = onLost
  }

  of(organization: string): OrganizationModels {
    return this.#models.get(organization) ?? NO_MODELS
  }

  put(row: Model): void {
    const models = this.#models.get(row.organization) ?? new Map<string, Model>()
    const before = models.get(row.name)
    this.#models.set(row.organization, models.set(row.name, row))
    this.defaults.put(row)
    if (before?.state === 'enabled' && row.state !== 'enabled') this.#onLost(before)
  }

  drop({ organization, id }: RowKey): void {
    const models = this.#models.get(organization)
    const before = models?.get(id)
    models?.delete(id)
    this.defaults.drop(organization, id)
    if (models?.size === 0) this.#models.delete(organization)
    if (before?.state === 'enabled') this.#onLost(before)
  }

  keyOf({ organization, name }: Model): RowKey {
    return { organization, id: name }
  }

  *keys(): Iterable<RowKey> {
    for (const models of this.#models.values()) for (const model of models.values()) yield this.keyOf(model)
  }
}
