// Everything that a client needs: a gateway process with its own port and data folder, two organizations with keys and models, and scripted
// devices. Everything it starts ends with it.

import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import {
  makeDataFolder,
  openStore,
  ScriptedDevice,
  type ScriptedDeviceOptions,
  type Store,
} from '@hearth/gateway/testing'
import { FEATURES, type ChatJob } from '@hearth/protocol'
import { Client, type Answer, type CallOptions } from './client/client.ts'
import { DEADLINE_MS } from './deadline.ts'
import { createToken, enrolDevice } from './enrol-device.ts'
import { startGateway, type GatewayProcess } from './processes/gateway-process.ts'
import { removeFolder } from './remove-folder.ts'
import { startSealedFront, type SealedFront } from './sealed-front.ts'
import { startFleet } from './start-fleet.ts'
import { FULL, PLAIN, seedStore, type OrganizationName, type Seed } from './seed.ts'
import { IS_SEALED_RUN } from './sealed-run.ts'

export * from './seed.ts'

export const HI = [{ role: 'user', content: 'hi' }]

export interface SystemOptions {
  /** Environment variables of the gateway. */
  settings?: Record<string, string>
  /** Flags of the gateway's Node. */
  flags?: readonly string[]
  /** 'usual' connects `full` and `plain`. */
  devices?: 'usual' | 'none'
}

export interface DeviceOptions extends Partial<Omit<ScriptedDeviceOptions, 'gateway'>> {
  organization?: OrganizationName
}

/** These tests do not look at shutting down. */
const QUICK = { READY_GRACE_MS: '1', DRAIN_MS: '1000' }
const LOOK_AGAIN_MS = 10

export async function startSystem({
  settings = {},
  flags = [],
  devices = 'usual',
}: SystemOptions = {}): Promise<System> {
  const folder = await makeDataFolder()
  const { gateway, url } = await startGateways(folder, { ...QUICK, ...settings }, flags)
  // The gateway has the database open; this process joins it, like the admin command line.
  const store = await openStore(url)
  const seed = await seedStore(store)
  const front = IS_SEALED_RUN
    ? await startSealedFront(gateway.origin, store, Object.values(seed.organizations))
    : undefined
  const system = new System(folder, store, seed, gateway, front)
  if (devices === 'usual') await system.connectUsual()
  // An enrolment makes the gateway refresh its access book immediately, so that it knows everything that was seeded.
  else await system.enrol('home')
  return system
}

/** One gateway, or as many as HEARTH_TEST_GATEWAYS says: then the same tests go through a balancer. */
async function startGateways(folder: string, settings: Record<string, string>, flags: readonly string[]) {
  const count = Number(process.env['HEARTH_TEST_GATEWAYS'] ?? '1')
  if (count === 1) {
    const url = `embedded:${folder}`
    return { url, gateway: await startGateway({ ...settings, DATABASE_URL: url }, flags) }
  }
  const journal = { USAGE_JOURNAL: join(folder, 'usage-journal') }
  const gateway = await startFleet({ count, settings: { ...journal, ...settings }, flags })
  return { url: gateway.databaseUrl, gateway }
}

export class System implements AsyncDisposable {
  readonly folder: string
  readonly gateway: GatewayProcess
  readonly client: Client
  readonly #store: Store
  readonly #seed: Seed
  /** Undefined unless clients seal their requests. */
  readonly #front: SealedFront | undefined
  readonly #devices: ScriptedDevice[] = []
  /** Credentials of devices that have disconnected. */
  readonly #idle: Record<OrganizationName, string[]> = { home: [], other: [], empty: [] }
  #full: ScriptedDevice | undefined
  #plain: ScriptedDevice | undefined

  constructor(folder: string, store: Store, seed: Seed, gateway: GatewayProcess, front?: SealedFront) {
    this.folder = folder
    this.gateway = gateway
    this.#front = front
    this.client = new Client(`${this.apiOrigin}/openai/v1`, seed.keys.home)
    this.#store = store
    this.#seed = seed
  }

  get origin(): string {
    return this.gateway.origin
  }

  /** Where clients find the API. */
  get apiOrigin(): string {
    return this.#front?.origin ?? this.gateway.origin
  }

  /** Always the same gateway, for what each of several gateways decides on its own. */
  get oneGateway(): Client {
    return new Client(`${this.gateway.origins[0]}/openai/v1`, this.#seed.keys.home)
  }

  get keys(): Seed['keys'] {
    return this.#seed.keys
  }

  /** Ids by name. */
  get organizations(): Seed['organizations'] {
    return this.#seed.organizations
  }

  /** The models that home has enabled. */
  get models(): readonly string[] {
    return this.#seed.models
  }

  /** Serves FULL with every feature. */
  get full(): ScriptedDevice {
    return this.#full ?? noDevice('full')
  }

  /** Serves PLAIN without any feature. */
  get plain(): ScriptedDevice {
    return this.#plain ?? noDevice('plain')
  }

  async connectUsual(): Promise<void> {
    this.#full = await this.connectDevice({ models: [{ name: FULL, slots: 16, features: [...FEATURES] }] })
    this.#plain = await this.connectDevice({ models: [{ name: PLAIN, slots: 16, features: [] }] })
  }

  /** For a real device app that serves these models in home. */
  async enrolmentToken(...models: readonly string[]): Promise<string> {
    const { home: organization } = this.organizations
    for (const name of models) await this.#store.enableModel({ organization, name })
    return createToken(this.#store, organization)
  }

  /** Creates a device and returns its credential. */
  async enrol(organization: OrganizationName): Promise<string> {
    const id = this.organizations[organization]
    const { device, credential } = await enrolDevice(this.#store, { origin: this.origin, organization: id })
    await this.#front?.approve(id, this.keys[organization], [device])
    return credential
  }

  /** Reuses the credential of a disconnected device if there is one, because the gateway limits how fast devices can be enrolled. */
  async connectDevice({
    organization = 'home',
    credential,
    models = [],
    ...rest
  }: DeviceOptions): Promise<ScriptedDevice> {
    const idle = this.#idle[organization]
    const own = credential ?? idle.pop() ?? (await this.enrol(organization))
    const sealing = this.#front && { sealKey: this.#front.key }
    const device = new ScriptedDevice({ gateway: this.origin, credential: own, models, ...rest, ...sealing })
    this.#devices.push(device)
    if (credential === undefined) void device.closed.then(() => idle.push(own))
    await device.welcome
    return device
  }

  /** Sends a chat request from home; by default it says hi to FULL. */
  async chat(fields: object, options?: CallOptions): Promise<Answer> {
    return this.client.post({ model: FULL, messages: HI, ...fields }, options)
  }

  /** Resolves once everything that happened so far has been logged. */
  async logged(): Promise<string> {
    const { headers } = await this.chat({})
    await this.gateway.heard(headers.get('x-request-id') ?? 'no request id')
    return this.gateway.output()
  }

  /** Changes what is remembered while the gateway runs, as the command line for administrators does. */
  async change(edit: (store: Store, organizations: Seed['organizations']) => Promise<unknown>): Promise<void> {
    await edit(this.#store, this.#seed.organizations)
  }

  /** The sum of a metric over its labels and all gateways. */
  async metric(name: string): Promise<number> {
    const pages = this.gateway.origins.map((origin) => this.client.call(`${origin}/metrics`, { key: null }))
    const lines = (await Promise.all(pages))
      .flatMap(({ text }) => text.split('\n'))
      .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    if (lines.length === 0) throw new Error(`There is no metric ${name}`)
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
  }

  /** The gateway does not announce when a number changes, so this polls until it does. */
  async metricReaches(name: string, value: number): Promise<void> {
    const deadline = performance.now() + DEADLINE_MS
    let seen = await this.metric(name)
    while (seen !== value) {
      if (performance.now() > deadline) throw new Error(`${name} is ${seen}, expected ${value}`)
      await setTimeout(LOOK_AGAIN_MS)
      seen = await this.metric(name)
    }
  }

  /** Resolves when this many jobs wait for a device. */
  async queued(jobs: number): Promise<void> {
    await this.metricReaches('hearth_queued_jobs', jobs)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#front?.[Symbol.asyncDispose]()
    for (const device of this.#devices) await device[Symbol.asyncDispose]()
    await this.#store.close()
    await this.gateway[Symbol.asyncDispose]()
    await removeFolder(this.folder)
  }
}

function noDevice(name: string): never {
  throw new Error(`This system was started without its usual devices, so there is no "${name}"`)
}

/** The job that the device was offered last. */
export function lastJob(device: ScriptedDevice): ChatJob {
  const job = device.jobs.at(-1)
  if (job === undefined) throw new Error('The device was offered no job')
  // The gateway adds this to every job, whatever the client sent.
  const { prefixScope: _, ...asked } = job.request
  return asked
}
