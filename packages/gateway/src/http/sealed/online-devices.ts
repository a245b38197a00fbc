// The devices that are connected right now, with their keys, for clients that seal requests. A
// client trusts none of this: it only seals for devices that its seal has signed.

import { hash } from 'node:crypto'
import { SharedBytes, type ByteBudget } from '@hearth/chat'
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

interface Online {
  /** The rest of a JSON object. */
  json: SharedBytes
  digest: string
}

interface FreshView {
  view: FleetView
  /** By key and model. They count while they are kept. */
  online: Map<string, Online>
}

export class OnlineDevices {
  readonly #book: AccessBook
  readonly #budget: ByteBudget
  readonly #views: SharedAsks<FleetView>
  readonly #fresh = new Map<string, FreshView>()

  constructor(fleet: Pick<Fleet, 'view'>, book: AccessBook, budget: ByteBudget) {
    this.#book = book
    this.#budget = budget
    this.#views = new SharedAsks((organization) => fleet.view(organization))
  }

  /** With a model, those that serve it: most room first, as many as a request can be sealed for. */
  async list(caller: Caller, model: string | undefined): Promise<Online> {
    const { view, online } = await this.#view(caller.organization)
    const name = JSON.stringify([caller.key, model])
    const known = online.get(name)
    if (known) return known
    const bytes = Buffer.from(`,"online":${JSON.stringify(this.#choose(view, caller, model))}}`)
    const json = new SharedBytes(bytes, this.#budget, caller.organization)
    const made = { json, digest: hash('sha256', bytes, 'base64url') }
    if (json.enter() === undefined) online.set(name, made)
    return made
  }

  #choose({ devices }: FleetView, caller: Caller, model: string | undefined): OnlineDevice[] {
    const linked = devices.filter(({ state }) => state === 'linked')
    const usable = new Set(usableModels(caller, this.#book).map(({ name }) => name))
    const chosen = model === undefined ? linked : servers(linked, model).slice(0, MAX_SEAL_KEYS)
    return chosen.map((device) => this.#describe(device, usable))
  }

  async #view(organization: string): Promise<FreshView> {
    const known = this.#fresh.get(organization)
    if (known) return known
    const view = await this.#views.ask(organization)
    const meanwhile = this.#fresh.get(organization)
    if (meanwhile) return meanwhile
    const fresh: FreshView = { view, online: new Map() }
    this.#fresh.set(organization, fresh)
    setTimeout(() => {
      this.#fresh.delete(organization)
      for (const { json } of fresh.online.values()) json.leave()
      fresh.online.clear()
    }, FRESH_MS).unref()
    return fresh
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
