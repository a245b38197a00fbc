// A job runner on an echo engine, with a link that a test can block and a clock that it moves. Sealed or not, a test sees the same.

import type {
  ChatJob,
  DeviceFrame,
  JobError,
  JobErrorCode,
  JobRequest,
  JobStartHead,
  ModelDefaults,
} from '@hearth/protocol'
import { newAgreementKey } from '@hearth/sealing'
import type { Engine } from '../engines/engine.ts'
import type { OpenLink } from '../link/run-link.ts'
import { JobRunner } from '../jobs/job-runner.ts'
import type { Outcome } from '../jobs/running-job.ts'
import { SealedJobs } from '../jobs/sealed/sealed-jobs.ts'
import { createEchoEngine, type EchoOptions } from './echo-engine.ts'
import { createManualClock, settle, type ManualClock } from './manual-clock.ts'
import { SealedClient, type SealedFor } from './sealed-client.ts'

export interface BenchOptions extends EchoOptions {
  /** Requests are sealed, and `frames` are those that their client opens. */
  isSealed?: boolean
  /** This device, as a client knows it that has more than one. */
  sealing?: { device: SealedFor; client: SealedClient }
  /** The device takes no sealed requests. */
  hasNoKey?: boolean
  /** In place of the echo. */
  run?: Engine['run']
  defaults?: ModelDefaults
}

export const KINDS = [
  { kind: 'plain', isSealed: false },
  { kind: 'sealed', isSealed: true },
]

export function beginRunner(options: BenchOptions = {}) {
  const engine = createEchoEngine(options)
  const clock = createManualClock()
  const frames: DeviceFrame[] = []
  const sent: DeviceFrame[] = []
  const sealed = createSealing(clock, options.sealing)
  const state = {
    takesJobs: true,
    restarted: [] as string[],
    outcomes: [] as Outcome[],
    restart: () => Promise.resolve(),
  }
  let full: PromiseWithResolvers<void> | undefined
  const send = (frame: DeviceFrame): void => {
    sent.push(frame)
    frames.push(sealed.client.open(frame))
  }
  const link: OpenLink = { send, room: () => full?.promise, close: () => {} }
  const runner = new JobRunner({
    engine: { run: options.run ?? engine.run },
    models: () => engine.models(),
    organization: () => 'organization-1',
    sealed: options.hasNoKey === true ? undefined : sealed.jobs,
    defaultsOf: () => options.defaults,
    takesJobs: () => state.takesJobs,
    restartEngine: (model) => {
      state.restarted.push(model)
      return state.restart()
    },
    clock,
    onChange: ({ ended }) => ended !== undefined && state.outcomes.push(ended.outcome),
    onStuck: () => {},
  })
  const seal = (job: ChatJob, name = at.job): Promise<JobRequest> | JobRequest =>
    options.isSealed === true ? sealed.client.seal(name, job) : job
  const offer = async (request: JobRequest, head: Partial<JobStartHead> = {}): Promise<void> => {
    runner.receive({ type: 'job-start', ...at, organization: 'organization-1', request, ...head }, link)
    await sealed.opened()
    await settle()
  }
  const start = async (fields: Partial<JobStartHead> & { content?: string } = {}, change: Partial<ChatJob> = {}) => {
    const { content = 'one two three', ...head } = fields
    const job = { model: 'echo', messages: [{ role: 'user' as const, content }], ...change }
    await offer(await seal(job, head.job), head)
  }
  const types = () => frames.map((frame) => frame.type)
  const text = () => frames.map((frame) => (frame.type === 'job-delta' ? frame.text : '')).join('')
  const fill = () => (full = Promise.withResolvers())
  const drain = () => {
    full?.resolve()
    full = undefined
  }
  return { engine, clock, frames, sent, state, link, runner, sealed, seal, offer, start, types, text, fill, drain }
}

function createSealing(clock: ManualClock, given: BenchOptions['sealing']) {
  const device = given?.device ?? { id: 'device-1', key: newAgreementKey() }
  const client = given?.client ?? new SealedClient([device], () => clock.date().getTime())
  const organization = (): string => 'organization-1'
  const jobs = new SealedJobs({ key: device.key, device: () => device.id, organization, clock })
  let last: Promise<unknown> | undefined
  const open: SealedJobs['open'] = (...request) => {
    const opening = jobs.open(...request)
    last = opening
    return opening
  }
  /** Resolves when the last request that arrived is open. */
  const opened = async (): Promise<void> => void (await last)
  return { client, jobs: { open }, opened }
}

/** The default attempt of a job. */
export const at = { job: 'job-1', attempt: 0 }

export function jobError(code: JobErrorCode, message: string, { retryable }: { retryable: boolean }): JobError {
  return { type: 'job-error', ...at, code, message, retryable, crashed: false }
}
/** Pauses the engine before a word until the test releases it. */
export function holdAt(word: number) {
  const gate = Promise.withResolvers<void>()
  return {
    release: gate.resolve,
    before: (index: number, signal: AbortSignal): Promise<void> => {
      if (index !== word) return Promise.resolve()
      const stopped = Promise.withResolvers<void>()
      signal.addEventListener('abort', () => stopped.resolve(), { once: true })
      return Promise.race([gate.promise, stopped.promise])
    },
  }
}

/** An engine that, once canceled, stops only when the test releases it. */
export async function stopSlowly(signal: AbortSignal, letGo: Promise<void>): Promise<void> {
  const stopped = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => stopped.resolve(), { once: true })
  await stopped.promise
  await letGo
}
