// The models that devices share, by organization: who has a file, and who has a model. Kept up to date as devices report, so that nobody
// has to search the lists of all devices.

import { plainSource, type SharedFile, type SharedModel } from '@hearth/protocol'
import type { DeviceLink } from '../device-link.ts'
import type { DeviceIdentity } from '../link.ts'

export interface WantedModel {
  name: string
  /** As it was written on the device that wants it. */
  source: string
}

interface Found<Value> {
  readonly link: DeviceLink
  readonly value: Value
}

export type FoundFile = Found<SharedFile>

export class SharedModels {
  readonly #organizations = new Map<string, Shares>()
  /** As they are in the index. */
  readonly #known = new Map<DeviceLink, readonly SharedModel[]>()

  /** The link has reported what its device shares now. */
  reported(link: DeviceLink): void {
    this.forget(link)
    const models = link.report.shared.filter(({ files }) => files.length > 0)
    if (models.length === 0) return
    const { organization } = link.identity
    const shares = this.#organizations.get(organization) ?? new Shares()
    this.#organizations.set(organization, shares)
    this.#known.set(link, models)
    for (const model of models) shares.add(link, model)
  }

  forget(link: DeviceLink): void {
    const { organization } = link.identity
    const [models, shares] = [this.#known.get(link), this.#organizations.get(organization)]
    if (models === undefined || shares === undefined) return
    this.#known.delete(link)
    for (const model of models) shares.remove(link, model)
    if (shares.files.isEmpty) this.#organizations.delete(organization)
  }

  /** A model that another device of the organization shares under this name, or else from this source. */
  find(device: DeviceIdentity, { name, source }: WantedModel): SharedModel | undefined {
    const shares = this.#organizations.get(device.organization)
    if (shares === undefined) return undefined
    const [named] = others(device, shares.names.find(name))
    const [found] = named ? [named] : others(device, shares.sources.find(plainSource(source)))
    return found?.value
  }

  /** The other devices of the organization that have this file, if it goes beyond the offset. */
  holders(device: DeviceIdentity, sha256: string, offset: number): Iterable<FoundFile> {
    const files = this.#organizations.get(device.organization)?.files
    return files ? others(device, files.find(sha256)).filter(({ value }) => value.bytes > offset) : []
  }
}

function others<Value>({ id }: DeviceIdentity, found: Generator<Found<Value>, void>): IteratorObject<Found<Value>> {
  return found.filter(({ link }) => link.identity.id !== id)
}

/** Of one organization. */
class Shares {
  readonly files = new LinkIndex<SharedFile>()
  readonly names = new LinkIndex<SharedModel>()
  readonly sources = new LinkIndex<SharedModel>()

  add(link: DeviceLink, model: SharedModel): void {
    this.names.add(model.name, link, model)
    if (model.source) this.sources.add(model.source, link, model)
    for (const file of model.files) this.files.add(file.sha256, link, file)
  }

  remove(link: DeviceLink, model: SharedModel): void {
    this.names.remove(model.name, link)
    if (model.source) this.sources.remove(model.source, link)
    for (const { sha256 } of model.files) this.files.remove(sha256, link)
  }
}

/**
 * Finds the links that have something by its key. Most things are on one link only, and then an entry takes a few words of memory: there may be
 * ten thousand per link.
 */
class LinkIndex<Value> {
  readonly #entries = new Map<string, Found<Value> | Map<DeviceLink, Value>>()

  get isEmpty(): boolean {
    return this.#entries.size === 0
  }

  /** The first value that a link has under a key counts. */
  add(key: string, link: DeviceLink, value: Value): void {
    const known = this.#entries.get(key)
    if (known === undefined) this.#entries.set(key, { link, value })
    else if (known instanceof Map) {
      if (!known.has(link)) known.set(link, value)
    } else if (known.link !== link) this.#entries.set(key, new Map([[known.link, known.value]]).set(link, value))
  }

  remove(key: string, link: DeviceLink): void {
    const known = this.#entries.get(key)
    if (known === undefined) return
    if (known instanceof Map) known.delete(link)
    if (known instanceof Map ? known.size === 0 : known.link === link) this.#entries.delete(key)
  }

  *find(key: string): Generator<Found<Value>, void> {
    const known = this.#entries.get(key)
    if (known === undefined) return
    if (!(known instanceof Map)) yield known
    else for (const [link, value] of known) yield { link, value }
  }
}
