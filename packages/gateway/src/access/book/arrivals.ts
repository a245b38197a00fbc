// Enables models that are being added, as soon as a device has them. Someone asked for that when the download began, perhaps before this
// gateway was started: the store remembers it, and a device announces its models whenever it connects.

import type { Store } from '../../store/store.ts'
import type { AccessBook } from './access-book.ts'

export interface ArrivalsOptions {
  store: Pick<Store, 'modelArrived'>
  book: Pick<AccessBook, 'models' | 'changed'>
  onError: (error: unknown) => void
}

export interface Announcer {
  id: string
  organization: string
  name: string
}

export class Arrivals {
  readonly #options: ArrivalsOptions
  /** Models that are being enabled right now: devices announce often. */
  readonly #enabling = new Set<string>()

  constructor(options: ArrivalsOptions) {
    this.#options = options
  }

  /** Costs one look into memory per model, unless one of them is being added. */
  announced(device: Announcer, models: readonly { name: string }[]): void {
    const known = this.#options.book.models(device.organization)
    for (const { name } of models) if (known.get(name)?.state === 'adding') void this.#enable(device, name)
  }

  async #enable({ id, organization, name: device }: Announcer, name: string): Promise<void> {
    const key = `${organization}\n${name}`
    if (this.#enabling.has(key)) return
    this.#enabling.add(key)
    try {
      await this.#options.store.modelArrived({ organization, name, by: { kind: 'device', id, name: device } })
      await this.#options.book.changed()
    } catch (error) {
      // The device's next announcement tries again.
      this.#options.onError(error)
    } finally {
      this.#enabling.delete(key)
    }
  }
}
