// A real server with a real device app and gateway in front of it.

import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listen } from '../../harness/connections/listen.ts'
import { startDeviceProcess, type DeviceProcess } from '../../harness/processes/device-process.ts'
import { removeFolder } from '../../harness/remove-folder.ts'
import { startSystem, type System } from '../../harness/start-system.ts'
import { kill, type Driver, type RunningServer, type StartOptions } from '../drivers/driver.ts'
import type { Target } from './ask.ts'
import { createServer } from 'node:net'

/** Under which Hearth serves the tiny model of the server. */
const SERVED = 'house'
const SLOTS = 4
export const CONTEXT = 1_024

export class Served implements AsyncDisposable {
  readonly driver: Driver
  readonly system: System
  readonly #folder: string
  readonly #port: number
  server: RunningServer
  device: DeviceProcess | undefined

  static async start(driver: Driver): Promise<Served> {
    const folder = await mkdtemp(join(tmpdir(), 'hearth-servers-'))
    const port = await freePort()
    const server = await driver.start({ port, folder, slots: SLOTS, contextLength: CONTEXT })
    const system = await startSystem({ devices: 'none', settings: { DEVICE_WAIT_MS: '60000' } })
    return new Served(driver, system, folder, port, server)
  }

  private constructor(driver: Driver, system: System, folder: string, port: number, server: RunningServer) {
    this.driver = driver
    this.system = system
    this.#folder = folder
    this.#port = port
    this.server = server
  }

  get hearth(): Target {
    return this.through(SERVED)
  }

  through(model: string): Target {
    return { base: `${this.system.apiOrigin}/openai/v1`, key: this.system.keys.home, model }
  }

  get direct(): Target {
    return { base: `${this.server.url}/v1`, key: 'none', model: this.server.model }
  }

  /** Starts the server anew, where it was. */
  async restart(options: Partial<StartOptions> = {}): Promise<void> {
    await kill(this.server)
    const usual = { port: this.#port, folder: this.#folder, slots: SLOTS, contextLength: CONTEXT }
    this.server = await this.driver.start({ ...usual, ...options })
  }

  /** Starts a device in front of it, in the place of the one before. It serves the tiny model as SERVED, or all models under their own names. */
  async serve({ names, key }: { names?: readonly string[]; key?: string } = {}): Promise<DeviceProcess> {
    await this.device?.[Symbol.asyncDispose]()
    const served = names ?? [SERVED]
    const token = await this.system.enrolmentToken(...served)
    const chosen = names === undefined ? ['--upstream-models', `${SERVED}=${this.server.model}`] : []
    this.device = await startDeviceProcess({
      origin: this.system.origin,
      token,
      model: { name: names === undefined ? SERVED : this.server.model },
      flags: ['--upstream', this.server.url, ...chosen],
      ...(key !== undefined && { environment: { HEARTH_DEVICE_UPSTREAM_KEY: key } }),
    })
    return this.device
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.device?.[Symbol.asyncDispose]()
    await this.system[Symbol.asyncDispose]()
    await kill(this.server)
    await removeFolder(this.#folder)
  }
}

async function freePort(): Promise<number> {
  await using listening = await listen(createServer())
  return Number(new URL(listening.origin).port)
}
