// A gateway with little memory that two organizations share: the attacker's and the bystander's.

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCredential } from '@hearth/gateway'
import { addManyDevices, createKey } from '@hearth/gateway/testing'
import { Client } from '../harness/client/client.ts'
import { removeFolder } from '../harness/remove-folder.ts'
import { LONELY, OTHERS, startSystem, type System } from '../harness/start-system.ts'
import type { Attack, Target } from './attack.ts'
import type { Report } from './attacker/tally.ts'
import { Bystander, type Testimony } from './bystander.ts'
import { loopStallsMs, peakMemoryMiB, slownessSince, turnTimes, watchLoop } from './gateway-facts.ts'
import { launchAttack } from './launch-attack.ts'
import { SiblingCopy } from './sibling-copy.ts'

const HEAP_MIB = 512
const KEYS = 5
/** Attacks with clients that don't read end sooner. */
const SETTINGS = { CLIENT_STALL_MS: '2000' }
/** Ends an attack that would never end; a busy machine may take many times longer than a quiet one. */
const ATTACK_MS = 250_000
/** Calls of the bystander before and after an attack: what an attack leaves behind hurts too. */
export const CALLS_AROUND = 20

export interface HostileOptions {
  /** Devices of the attacker. */
  devices?: number
  /** The bystander's devices copy models from each other. */
  hasCopies?: boolean
}

export interface Outcome extends Testimony {
  attack: Attack
  /** Undefined if the attack did not come to its end. */
  report: Report | undefined
  /** Turns of the gateway's event loop in CPU time, longest first. */
  stallsMs: number[]
  /** How much slower the machine was than it is on its own. */
  slowness: number
  peakMiB: number
  isAlive: boolean
}

export class HostileSystem implements AsyncDisposable {
  readonly system: System
  readonly #target: Target
  readonly #folder: string
  readonly #copy: SiblingCopy | undefined

  private constructor(system: System, target: Target, folder: string, copy: SiblingCopy | undefined) {
    this.system = system
    this.#target = target
    this.#folder = folder
    this.#copy = copy
  }

  static async start({ devices = 2, hasCopies = false }: HostileOptions = {}): Promise<HostileSystem> {
    const folder = mkdtempSync(join(tmpdir(), 'hearth-hostile-'))
    const system = await startSystem({
      devices: 'none',
      settings: SETTINGS,
      flags: [`--max-old-space-size=${HEAP_MIB}`, '--import', watchLoop(folder)],
    })
    const keys = await addKeys(system)
    const credentials = await addDevices(system, devices)
    await system.connectDevice({ organization: 'other', models: [{ name: OTHERS, slots: 16 }], forgetsJobs: true })
    const copy = hasCopies ? await SiblingCopy.open(system) : undefined
    return new HostileSystem(system, { origin: system.origin, keys, credentials, model: LONELY }, folder, copy)
  }

  /** For a test that starts processes of its own. */
  get folder(): string {
    return this.#folder
  }

  /** Runs the attack while the bystander watches. */
  async suffer(attack: Attack): Promise<Outcome> {
    await attack.prepare?.(this.system)
    const bystander = new Bystander(new Client(this.system.client.base, this.system.keys.other), this.#copy)
    await bystander.calls(CALLS_AROUND)
    const startedAt = Date.now()
    const times = turnTimes(this.system.gateway.pid)
    const gone = new AbortController()
    void this.system.gateway.exited.then(() => gone.abort())
    const report = await this.#run(attack, gone.signal).catch(() => undefined)
    await bystander.calls(CALLS_AROUND)
    const isAlive = this.system.gateway.isAlive()
    return {
      attack,
      report,
      isAlive,
      ...(await bystander.leave()),
      stallsMs: loopStallsMs(this.#folder, this.system.gateway.pid, startedAt),
      slowness: slownessSince(times, this.system.gateway.pid),
      peakMiB: isAlive ? peakMemoryMiB(this.system.gateway.pid) : Number.NaN,
    }
  }

  async #run(attack: Attack, signal: AbortSignal): Promise<Report> {
    if (attack.from === 'inside') return attack.run(this.system)
    return launchAttack(attack.name, this.#target, AbortSignal.any([signal, AbortSignal.timeout(ATTACK_MS)]))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#copy?.[Symbol.dispose]()
    await this.system[Symbol.asyncDispose]()
    await removeFolder(this.#folder)
  }
}

/** The gateway knows all of them when this is over: a device that joins makes it look. */
async function addDevices(system: System, count: number): Promise<string[]> {
  const credentials = Array.from({ length: count }, createCredential)
  const digests = credentials.map(({ digest }) => digest)
  await addManyDevices(`embedded:${system.folder}`, { organization: system.organizations.home, digests })
  await system.enrol('home')
  return credentials.map(({ key }) => key)
}

async function addKeys(system: System): Promise<string[]> {
  const secrets = Array.from({ length: KEYS }, createKey)
  await system.change(async (store, { home: organization }) => {
    const { person } = await store.addMember({ organization, email: 'evil@example.test', name: 'Evil', role: 'member' })
    for (const { digest, hint } of secrets)
      await store.createKey({ organization, createdBy: person, name: 'evil', digest, hint })
  })
  return secrets.map(({ key }) => key)
}
