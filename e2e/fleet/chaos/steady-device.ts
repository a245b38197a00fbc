// A device that connects again whenever its link breaks, to one of the gateways that it is allowed to use.

import { setTimeout as sleep } from 'node:timers/promises'
import { ScriptedDevice, type JobPlan } from '@hearth/gateway/testing'
import { FEATURES, type ChatJob } from '@hearth/protocol'
import { PAIR } from '../../harness/seed.ts'

export interface SteadyDeviceOptions {
  credential: string
  slots: number
  plan: (request: ChatJob) => JobPlan
  /** The gateway to connect to, after so many that didn't let it in. */
  choose: (attempt: number) => string
  onProblem: (what: string) => void
}

const RETRY_MS = 100
/** A gateway that hangs doesn't answer; a device tries the next one. */
const DIAL_MS = 2_000

export class SteadyDevice implements AsyncDisposable {
  readonly #options: SteadyDeviceOptions
  readonly #over: Promise<void>
  #link: ScriptedDevice | undefined
  #home: string | undefined
  #isOver = false

  constructor(options: SteadyDeviceOptions) {
    this.#options = options
    this.#over = this.#stay()
  }

  /** The gateway that it is connected to. */
  get home(): string | undefined {
    return this.#home
  }

  /** The names of the jobs that it works on. */
  get works(): string[] {
    return (this.#link?.jobs ?? []).filter(isOpen).map(nameOf)
  }

  /** Gives up its link and connects again. */
  async move(): Promise<void> {
    this.#link?.crash()
    await this.#link?.closed
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true
    this.#link?.crash()
    await this.#over
  }

  async #stay(): Promise<void> {
    for (let attempt = 0; !this.#isOver; attempt++) {
      const gateway = this.#options.choose(attempt)
      const link = await this.#dial(gateway)
      if (link === undefined) await sleep(RETRY_MS)
      else {
        await this.#serve(link, gateway)
        attempt = -1
      }
    }
  }

  async #dial(gateway: string): Promise<ScriptedDevice | undefined> {
    const { credential, slots } = this.#options
    const model = { name: PAIR, slots, features: [...FEATURES], digest: 'sha256:numbered' }
    const link: ScriptedDevice = new ScriptedDevice({
      gateway,
      credential,
      models: [model],
      plan: (request) => this.#plan(link, request),
    })
    const isWelcome = await Promise.race([
      link.welcome.then(
        () => true,
        () => false,
      ),
      sleep(DIAL_MS, false),
    ])
    if (!isWelcome) link.crash()
    return isWelcome ? link : undefined
  }

  async #serve(link: ScriptedDevice, gateway: string): Promise<void> {
    this.#link = link
    this.#home = gateway
    if (this.#isOver) link.crash()
    await link.closed
    this.#home = undefined
    this.#link = undefined
  }

  #plan(link: ScriptedDevice, request: ChatJob): JobPlan {
    const { slots, plan, onProblem } = this.#options
    const busy = link.jobs.filter(isOpen)
    const names = busy.map(nameOf).join(', ')
    if (busy.length >= slots)
      onProblem(`a device with ${slots} slots got ${request.messages[0]!.content} while it worked on ${names}`)
    return plan(request)
  }
}

function isOpen({ state }: ScriptedDevice['jobs'][number]): boolean {
  return state === 'offered' || state === 'accepted'
}

function nameOf({ request }: ScriptedDevice['jobs'][number]): string {
  return request.messages[0]!.content
}
