// Writes down when devices were last seen. A device may come and go many times a second, and thousands may come back together after a
// restart. So sightings are collected, and the latest ones of all devices are written together, a piece at a time.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Sighting } from '../store/devices/devices.ts'
import type { Store } from '../store/store.ts'

export interface DeviceSightingsOptions {
  store: Pick<Store, 'devicesSeen'>
  onError: (error: unknown) => void
  /** Resolves after this time, or earlier when closed. */
  pause?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

/** Sightings that come together are written together. */
const GATHER_MS = 100
const PAUSE_MS = 5_000
/** Small, so that nothing else waits long for the store. */
const PIECE = 500

export class DeviceSightings {
  readonly #options: DeviceSightingsOptions
  readonly #closing = new AbortController()
  /** The latest of each device. */
  #waiting = new Map<string, Sighting>()
  #writing: Promise<void> | undefined

  constructor(options: DeviceSightingsOptions) {
    this.#options = options
  }

  note(sighting: Sighting): void {
    // A device that leaves does not say which app it runs.
    this.#waiting.set(sighting.device, { ...this.#waiting.get(sighting.device), ...sighting })
    this.#writing ??= this.#writeAll()
  }

  /** Writes what is left. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#writing
    await this.#write()
  }

  async #writeAll(): Promise<void> {
    await this.#pause(GATHER_MS)
    while (this.#waiting.size > 0 && !this.#closing.signal.aborted) {
      await this.#write()
      await this.#pause(PAUSE_MS)
    }
    this.#writing = undefined
  }

  async #write(): Promise<void> {
    const sightings = [...this.#waiting.values()]
    this.#waiting = new Map()
    for (let from = 0; from < sightings.length; from += PIECE) {
      try {
        await this.#options.store.devicesSeen(sightings.slice(from, from + PIECE))
      } catch (error) {
        this.#putBack(sightings.slice(from))
        return this.#options.onError(error)
      }
    }
  }

  #putBack(sightings: readonly Sighting[]): void {
    for (const old of sightings) this.#waiting.set(old.device, { ...old, ...this.#waiting.get(old.device) })
  }

  async #pause(ms: number): Promise<void> {
    const { pause = pauseUnlessAborted } = this.#options
    await pause(ms, this.#closing.signal)
  }
}

function pauseUnlessAborted(ms: number, signal: AbortSignal): Promise<unknown> {
  return sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
}
