// The newest link of each connected device, found by device or by organization without a search.

import type { DeviceLink } from './device-link.ts'

export class CurrentLinks {
  readonly #byDevice = new Map<string, DeviceLink>()
  readonly #byOrganization = new Map<string, Set<DeviceLink>>()

  get size(): number {
    return this.#byDevice.size
  }

  get(device: string): DeviceLink | undefined {
    return this.#byDevice.get(device)
  }

  /** Undefined if the device has another link. */
  find(device: string, epoch: number): DeviceLink | undefined {
    const link = this.#byDevice.get(device)
    return link?.epoch === epoch ? link : undefined
  }

  values(): Iterable<DeviceLink> {
    return this.#byDevice.values()
  }

  of(organization: string): DeviceLink[] {
    return [...(this.#byOrganization.get(organization) ?? [])]
  }

  /** There must be no other link of the device. */
  add(link: DeviceLink): void {
    const { id, organization } = link.identity
    this.#byDevice.set(id, link)
    this.#byOrganization.set(organization, (this.#byOrganization.get(organization) ?? new Set()).add(link))
  }

  remove(link: DeviceLink): void {
    const { id, organization } = link.identity
    this.#byDevice.delete(id)
    const siblings = this.#byOrganization.get(organization)
    siblings?.delete(link)
    if (siblings?.size === 0) this.#byOrganization.delete(organization)
  }
}
