// A real device of the attacker's organization, and another key of it whose streams the device serves all the while.

import { LONELY } from '../harness/start-system.ts'
import type { DeviceProcess } from '../harness/processes/device-process.ts'
import { startTinyDevice } from '../harness/tiny-device.ts'
import { loopStallsMs, slownessSince, turnTimes, watchLoop } from './gateway-facts.ts'
import type { HostileSystem } from './hostile-system.ts'

export interface DeviceTestimony {
  /** Of each stream, the longest time between two pieces. */
  gapsMs: number[]
  /** Streams that did not come to their end. */
  faults: string[]
  /** Turns of the event loops of the app and of the model's process in CPU time, longest first. */
  stallsMs: number[]
  /** How much slower the machine was than it is on its own. */
  slowness: number
}

const STORY = { model: LONELY, messages: [{ role: 'user', content: 'Tell me a story.' }], max_tokens: 200 }

export class SharedDevice implements AsyncDisposable {
  readonly #hostile: HostileSystem
  readonly #device: DeviceProcess

  private constructor(hostile: HostileSystem, device: DeviceProcess) {
    this.#hostile = hostile
    this.#device = device
  }

  static async start(hostile: HostileSystem): Promise<SharedDevice> {
    const { system, folder } = hostile
    const environment = { NODE_OPTIONS: `--import=${watchLoop(folder)}` }
    return new SharedDevice(hostile, await startTinyDevice(system, LONELY, { environment }))
  }

  /** What the other key sees until the work is done. */
  async during<Result>(work: () => Promise<Result>): Promise<DeviceTestimony & { result: Result }> {
    const pids = [this.#device.pid, await this.#device.enginePid()]
    const startedAt = Date.now()
    const times = turnTimes(pids[1]!)
    const seen = { gapsMs: [] as number[], faults: [] as string[] }
    const over = new AbortController()
    const reading = this.#readStreams(seen, over.signal)
    const result = await work().finally(() => over.abort())
    await reading
    const stallsMs = pids.flatMap((pid) => loopStallsMs(this.#hostile.folder, pid, startedAt)).toSorted((a, b) => b - a)
    return { ...seen, result, stallsMs, slowness: slownessSince(times, pids[1]!) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#device[Symbol.asyncDispose]()
  }

  async #readStreams(seen: Pick<DeviceTestimony, 'gapsMs' | 'faults'>, over: AbortSignal): Promise<void> {
    do await this.#readStream(seen)
    while (!over.aborted)
  }

  async #readStream({ gapsMs, faults }: Pick<DeviceTestimony, 'gapsMs' | 'faults'>): Promise<void> {
    let [longest, last] = [0, Number.NaN]
    try {
      const { events } = await this.#hostile.system.client.openStream(STORY)
      for await (const _ of events) {
        const now = performance.now()
        if (now - last > longest) longest = now - last
        last = now
      }
      gapsMs.push(longest)
    } catch (error) {
      faults.push(String(error))
    }
  }
}
