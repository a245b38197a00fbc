// The gateway under test: with a device that serves one model well, devices for the fuzzer's links, a signed-in person, and a bystander.

import { startNats, Visitor, type TestNats } from '@hearth/gateway/testing'
import { FEATURES } from '@hearth/protocol'
import { Bystander } from '../hostile/bystander.ts'
import { Client } from '../harness/client/client.ts'
import { peakMemoryMiB } from '../hostile/gateway-facts.ts'
import { FULL, HI, OTHERS, PAIR, startSystem, type System } from '../harness/start-system.ts'
import { createInput, type Surface } from './create-input.ts'
import { HostilePeer } from './hostile-peer.ts'
import type { Input, Placeholder } from './input.ts'
import { listRoutes } from './inputs/console-input.ts'
import { sendToDevice } from './send-gateway.ts'
import { sendHttp } from './send-http.ts'
import { sendLink } from './send-link.ts'
import { countOutcome, type Target } from './target.ts'

/** Short limits, so that slow clients are given up while the fuzzer is still looking. None of them can hurt a bystander on a busy machine. */
const SETTINGS = {
  CLIENT_ADDRESS_HEADER: 'x-visitor-address',
  PEOPLE_MAKE_ORGANIZATIONS: 'true',
  BODY_TIMEOUT_MS: '3000',
  CLIENT_STALL_MS: '1000',
}
const HEAP_MIB = 512
const MOST_MEMORY_MIB = 1_024
const CREDENTIALS = 24
/** A peer runs the same code, so nobody checks its messages field by field: one that makes no sense is dropped with a line in the log. */
const INTERNAL_ERROR = /^(?!.*"where":"peer links").*"msg":"internal error".*$/m
const PASSWORD = 'correct horse battery'

interface FuzzParts {
  system: System
  nats: TestNats
  peer: HostilePeer
  credentials: readonly string[]
  values: Readonly<Partial<Record<Placeholder, string>>>
}

export class FuzzSystem implements Target<Input> {
  /** By status; 101 for links. */
  readonly outcomes = new Map<string, number>()
  readonly #surface: Surface
  readonly #parts: FuzzParts
  readonly #bystander: Bystander

  private constructor(parts: FuzzParts, surface: Surface) {
    this.#parts = parts
    this.#surface = surface
    this.#bystander = new Bystander(new Client(parts.system.client.base, parts.system.keys.other))
  }

  static async start(): Promise<FuzzSystem> {
    const nats = await startNats()
    const system = await startSystem({
      settings: { ...SETTINGS, NATS_URL: nats.url },
      flags: [`--max-old-space-size=${HEAP_MIB}`],
      devices: 'none',
    })
    const credentials: string[] = []
    for (let index = 0; index < CREDENTIALS; index++) credentials.push(await system.enrol('home'))
    await system.connectDevice({ models: [{ name: FULL, slots: 64, features: [...FEATURES] }], forgetsJobs: true })
    await system.connectDevice({ organization: 'other', models: [{ name: OTHERS, slots: 16 }], forgetsJobs: true })
    const { json } = await system.client.call(`${system.origin}/api/openapi.json`, { key: null })
    const routes = listRoutes(json as Parameters<typeof listRoutes>[0])
    const values = await readValues(system, credentials)
    const peer = await HostilePeer.connect(nats.url, values)
    return new FuzzSystem({ system, nats, peer, credentials, values }, { routes })
  }

  createInput(seed: number, index: number): Input {
    return createInput(seed, index, this.#surface)
  }

  async send(input: Input, index: number): Promise<string | undefined> {
    const { system, peer, values, credentials } = this.#parts
    switch (input.kind) {
      case 'http': {
        const statuses = await sendHttp(system.origin, input, values)
        for (const status of statuses) this.#count(status)
        return statuses.includes(500) ? 'the gateway responded with a 500' : undefined
      }
      case 'link': {
        const credential = credentials[index % credentials.length]!
        this.#count(await sendLink(input, { origin: system.origin, credential, ask: (signal) => this.#ask(signal) }))
        return undefined
      }
      case 'bus':
        await peer.send(input)
        return undefined
      case 'gateway':
        return sendToDevice(input)
      default:
        return input satisfies never
    }
  }

  fault(): string | undefined {
    const { gateway } = this.#parts.system
    if (!gateway.isAlive()) return `the gateway exited:\n${gateway.output().slice(-4_000)}`
    const internal = gateway.output().match(INTERNAL_ERROR)
    if (internal) return `the gateway logged an internal error: ${internal[0]}`
    const [fault] = this.#bystander.faults
    if (fault !== undefined) return `the bystander was harmed: ${fault}`
    const memory = peakMemoryMiB(gateway.pid)
    return memory > MOST_MEMORY_MIB ? `the gateway took ${memory.toFixed(0)} MiB of memory` : undefined
  }

  /** Resolves once the bystander was served again, so that a gateway that hangs is noticed. */
  async settle(): Promise<void> {
    await this.#bystander.calls(4)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { system, peer, nats } = this.#parts
    await this.#bystander.leave()
    await peer[Symbol.asyncDispose]()
    await system[Symbol.asyncDispose]()
    await nats.stop()
  }

  #count(status: number): void {
    countOutcome(this.outcomes, `${status}`)
  }

  async #ask(signal: AbortSignal): Promise<void> {
    // Any end is fine: the device that runs it lies.
    await this.#parts.system.client.post({ model: PAIR, messages: HI }, { signal }).catch(() => undefined)
  }
}

async function readValues(system: System, credentials: readonly string[]): Promise<FuzzParts['values']> {
  const { json } = await system.client.call(`${system.origin}/readyz`, { key: null })
  return {
    KEY: system.keys.home,
    HOST: new URL(system.origin).host,
    ORIGIN: system.origin,
    CREDENTIAL: credentials[0]!,
    GATEWAY: (json as { gateway: string }).gateway,
    ...(await signIn(system)),
  }
}

/** The gateway prints a link for the first owner. */
async function signIn(
  system: System,
): Promise<{ COOKIE: string; SPARE_COOKIE: string; ORGANIZATION: string; DEVICE: string }> {
  const [, token = ''] = await system.gateway.heard(/\/set-up#([\w-]+)/)
  const visitor = new Visitor(system.origin)
  const { name, ...login } = { name: 'Fay', email: 'fay@example.test', password: PASSWORD }
  const { body } = await visitor.post<{ organization: string }>('/set-up', {
    token,
    organization: 'Fuzz',
    name,
    ...login,
  })
  const spare = new Visitor(system.origin)
  await spare.post('/sign-in', login)
  return { COOKIE: visitor.cookie, SPARE_COOKIE: spare.cookie, ORGANIZATION: body.organization, DEVICE: 'none' }
}
