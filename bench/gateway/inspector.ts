// A connection to the inspector of a Node process, just enough to measure what it does.

import { once } from 'node:events'
import { WebSocket } from 'ws'

/** The parts of the format that the benchmark reads. */
export interface CpuProfile {
  nodes: ProfileNode[]
  /** The node that was running at each sample, by id. */
  samples: number[]
  /** Microseconds between the samples. */
  timeDeltas: number[]
}

export interface ProfileNode {
  id: number
  callFrame: { functionName: string; url: string; lineNumber: number }
  children?: number[]
}

const SAMPLE_MICROS = 200

export class Inspector {
  readonly #socket: WebSocket
  readonly #answers = new Map<number, (result: unknown) => void>()
  #lastId = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data: Buffer) => {
      const { id, result } = JSON.parse(data.toString('utf8')) as { id?: number; result?: unknown }
      if (id === undefined) return
      this.#answers.get(id)?.(result)
      this.#answers.delete(id)
    })
  }

  static async connect(url: string): Promise<Inspector> {
    const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: 0 })
    await once(socket, 'open')
    return new Inspector(socket)
  }

  async startProfile(): Promise<void> {
    await this.#ask('Profiler.enable')
    await this.#ask('Profiler.setSamplingInterval', { interval: SAMPLE_MICROS })
    await this.#ask('Profiler.start')
  }

  async stopProfile(): Promise<CpuProfile> {
    const { profile } = (await this.#ask('Profiler.stop')) as { profile: CpuProfile }
    return profile
  }

  async collectGarbage(): Promise<void> {
    await this.#ask('HeapProfiler.enable')
    await this.#ask('HeapProfiler.collectGarbage')
    await this.#ask('HeapProfiler.disable')
  }

  close(): void {
    this.#socket.terminate()
  }

  #ask(method: string, params: object = {}): Promise<unknown> {
    const id = ++this.#lastId
    const { promise, resolve } = Promise.withResolvers<unknown>()
    this.#answers.set(id, resolve)
    this.#socket.send(JSON.stringify({ id, method, params }))
    return promise
  }
}
