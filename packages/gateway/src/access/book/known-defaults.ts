// The defaults of every model that has some, computed once per change, so that a device gets them
// without anyone asking the store.

import { isDeepStrictEqual } from 'node:util'
import type { ModelDefaults } from '@hearth/protocol'
import type { Model } from '../../store/models.ts'
import { effectiveDefaults } from './effective-defaults.ts'

export class KnownDefaults {
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
