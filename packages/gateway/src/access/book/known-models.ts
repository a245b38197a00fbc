import type { Model } from '../../store/models.ts'
import type { Place } from '../../store/revisions/access-rows.ts'
import type { KnownRows } from './followed-table.ts'
import { isDeepStrictEqual } from 'node:util'
import type { ModelDefaults } from '@hearth/protocol'
import { effectiveDefaults } from './effective-defaults.ts'

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

  drop({ organization, id }: Place): void {
    const models = this.#models.get(organization)
    const before = models?.get(id)
    models?.delete(id)
    this.defaults.drop(organization, id)
    if (models?.size === 0) this.#models.delete(organization)
    if (before?.state === 'enabled') this.#onLost(before)
  }

  placeOf({ organization, name }: Model): Place {
    return { organization, id: name }
  }

  *places(): Iterable<Place> {
    for (const models of this.#models.values()) for (const model of models.values()) yield this.placeOf(model)
  }
}

// The defaults of every model that has some, computed once per change, so that a device gets them without anyone asking the store.
class KnownDefaults {
  readonly #defaults = new Map<string, Map<string, ModelDefaults>>()
  readonly #onChange: (organization: string, model: string) => void

  constructor(onChange: (organization: string, model: string) => void) {
    this.#onChange = onChange
  }

  /** The same object until they change. */
  of(organization: string, model: string): ModelDefaults | undefined {
    return this.#defaults.get(organization)?.get(model)
  }

  /** Models with a chat template of the organization's own. */
  templated(organization: string): string[] {
    const all = [...(this.#defaults.get(organization) ?? [])]
    return all.filter(([, { chatTemplate }]) => chatTemplate !== undefined).map(([model]) => model)
  }

  put({ organization, name, state, defaults }: Model): void {
    const after = state === 'removed' ? undefined : effectiveDefaults(name, defaults)
    if (isDeepStrictEqual(this.of(organization, name), after)) return
    if (after === undefined) return this.drop(organization, name)
    const models = this.#defaults.get(organization) ?? new Map<string, ModelDefaults>()
    this.#defaults.set(organization, models.set(name, after))
    this.#onChange(organization, name)
  }

  drop(organization: string, name: string): void {
    const models = this.#defaults.get(organization)
    if (!models?.delete(name)) return
    if (models.size === 0) this.#defaults.delete(organization)
    this.#onChange(organization, name)
  }
}
