// A device's real job runner, with frames as text on one side and an engine of the fuzzer's on the other.

import { parseGatewayFrames, ProtocolError, type DeviceFrame } from '@hearth/protocol'
import { newAgreementKey } from '@hearth/sealing'
import type { Engine, EngineJob } from '../../../../packages/device/src/engines/engine.ts'
import { JobRunner } from '../../../../packages/device/src/jobs/job-runner.ts'
import { SealedJobs } from '../../../../packages/device/src/jobs/sealed/sealed-jobs.ts'
import type { OpenLink } from '../../../../packages/device/src/link/hold-link.ts'
import { ECHO_MODEL } from '../../../../packages/device/src/testing/echo-engine.ts'
import { settle, type ManualClock } from '../../../../packages/device/src/testing/manual-clock.ts'

export const ORGANIZATION = 'organization-1'
const MODEL = { ...ECHO_MODEL, features: [...ECHO_MODEL.features, 'resume' as const, 'sealed' as const] }

export interface FuzzedDeviceOptions {
  id: string
  clock: ManualClock
  /** `attempt` is undefined for a job that was not sealed. */
  run: (
    device: FuzzedDevice,
    job: EngineJob,
    attempt: number | undefined,
    signal: AbortSignal,
  ) => ReturnType<Engine['run']>
}

export class FuzzedDevice {
  readonly id: string
  readonly key = newAgreementKey()
  /** All that the gateway hears from it. */
  readonly sent: DeviceFrame[] = []
  readonly #options: FuzzedDeviceOptions
  readonly #opening = new Set<Promise<unknown>>()
  readonly #attempts = new WeakMap<EngineJob, number>()
  #runner: JobRunner
  /** How often the app was started. */
  starts = 0

  constructor(options: FuzzedDeviceOptions) {
    this.#options = options
    this.id = options.id
    this.#runner = this.#startApp()
  }

  get running(): number {
    return this.#runner.running
  }

  /** A message of the gateway. One that is malformed costs the link. */
  receive(text: string): void {
    try {
      parseGatewayFrames(text, (frame) => 'job' in frame && this.#runner.receive(frame, this.#link))
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      this.loseLink()
    }
  }

  loseLink(): void {
    this.#runner.linkGone()
  }

  restartApp(): void {
    this.loseLink()
    this.#runner = this.#startApp()
  }

  /** Resolves when everything that came is open, and what follows from it has happened. */
  async settled(): Promise<void> {
    await Promise.all(this.#opening)
    await settle()
  }

  readonly #link: OpenLink = { send: (frame) => void this.sent.push(frame), room: () => undefined, close: () => {} }

  #startApp(): JobRunner {
    this.starts += 1
    const { clock, run } = this.#options
    const organization = () => ORGANIZATION
    const sealed = new SealedJobs({ key: this.key, device: () => this.id, organization, clock })
    return new JobRunner({
      engine: { run: (job, signal) => run(this, job, this.#attempts.get(job), signal) },
      models: () => [MODEL],
      organization,
      sealed: { open: (...request) => this.#watch(sealed, request) },
      takesJobs: () => true,
      restartEngine: () => Promise.resolve(),
      clock,
      onChange: () => {},
      onStuck: () => {},
    })
  }

  async #watch(sealed: SealedJobs, request: Parameters<SealedJobs['open']>): ReturnType<SealedJobs['open']> {
    const opening = sealed.open(...request)
    this.#opening.add(opening)
    const ready = await opening
    this.#opening.delete(opening)
    if (typeof ready === 'string') return ready
    const engineJob: typeof ready.engineJob = (defaults) => {
      const job = ready.engineJob(defaults)
      this.#attempts.set(job, request[0].attempt)
      return job
    }
    return { ...ready, engineJob }
  }
}
