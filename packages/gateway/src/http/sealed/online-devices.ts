// The devices that are connected right now, with their keys, for clients that seal requests. A client trusts none of this: it only seals for
// devices that its seal has signed.

import { MAX_SEAL_KEYS } from '@hearth/protocol'
import type { AccessBook, Caller } from '../../access/book/access-book.ts'
import { usableModels } from '../../chat/find-model.ts'
import type { Fleet, FleetDevice, FleetView } from '../../fleet/fleet.ts'
import { SharedAsks } from './shared-asks.ts'

interface OnlineDevice {
  id: string
  name: string
  key?: string
  models: string[]
}

/** Which devices are there changes more slowly than many clients ask. */
const FRESH_MS = 1_000
/** Organizations whose view is kept for that long. */
const MOST_VIEWS = 256

export class OnlineDevices {
  readonly #book: AccessBook
  readonly #views: SharedAsks<FleetView>
  readonly #kept = new Map<string, { at: number; view: FleetView }>()

  constructor(fleet: Pick<Fleet, 'view'>, book: AccessBook) {
    this.#book = book
    this.#views = new SharedAsks((organization) => fleet.view(organization))
  }

  /** With a model, those that serve it: most room first, as many as a request can be sealed for. */
  async list(caller: Caller, model: string | undefined): Promise<OnlineDevice[]> {
    const { devices } = await this.#view(caller.organization)
    const linked = devices.filter(({ state }) => state === 'linked')
    const usable = new Set(usableModels(caller, this.#book).map(({ name }) => name))
    const chosen = model === undefined ? linked : servers(linked, model).slice(0, MAX_SEAL_KEYS)
    return chosen.map((device) => this.#describe(device, usable))
  }

  async #view(organization: string): Promise<FleetView> {
    const kept = this.#kept.get(organization)
    if (kept !== undefined && performance.now() < kept.at + FRESH_MS) return kept.view
    const view = await this.#views.ask(organization)
    this.#kept.delete(organization)
    this.#kept.set(organization, { at: performance.now(), view })
    for (const oldest of this.#kept.keys()) if (this.#kept.size > MOST_VIEWS) this.#kept.delete(oldest)
    return view
  }

  #describe({ id, sealKey, models }: FleetDevice, usable: ReadonlySet<string>): OnlineDevice {
    const names = models.map(({ name }) => name).filter((name) => usable.has(name))
    return { id, name: this.#book.deviceName(id) ?? id, ...(sealKey !== undefined && { key: sealKey }), models: names }
  }
}

function servers(devices: readonly FleetDevice[], model: string): FleetDevice[] {
  return devices
    .filter(({ models }) => models.some(({ name }) => name === model))
    .toSorted((one, other) => room(other, model) - room(one, model))
}

/** Free slots; those of a device that has to load the model first come after all others. */
function room({ models }: FleetDevice, model: string): number {
  const found = models.find(({ name }) => name === model)
  if (found === undefined) return Number.NEGATIVE_INFINITY
  return found.slots - found.running - (found.state === 'loadable' ? 1e6 : 0)
}
