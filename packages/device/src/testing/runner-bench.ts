// A job runner on an echo engine, with a link that a test can block and a clock that it moves.

import type { ChatJob, DeviceFrame, DeviceModel, JobStart, JobStartHead } from '@hearth/protocol'
import { JobRunner } from '../jobs/job-runner.ts'
import type { Outcome } from '../jobs/running-job.ts'
import { createEchoEngine, type EchoOptions } from './echo-engine.ts'
import { createManualClock, settle } from './manual-clock.ts'

export function beginRunner(options: EchoOptions & { models?: DeviceModel[] } = {}) {
  const engine = createEchoEngine(options)
  const clock = createManualClock()
  const frames: DeviceFrame[] = []
  const state = {
    takesJobs: true,
    restarted: [] as string[],
    outcomes: [] as Outcome[],
    restart: () => Promise.resolve(),
  }
  let full: PromiseWithResolvers<void> | undefined
  const link = { send: (frame: DeviceFrame) => frames.push(frame), room: () => full?.promise, close: () => {} }
  const runner = new JobRunner({
    engine,
    models: () => engine.models(),
    organization: () => 'organization-1',
    takesJobs: () => state.takesJobs,
    restartEngine: (model) => {
      state.restarted.push(model)
      return state.restart()
    },
    clock,
    onChange: ({ outcome }) => outcome !== undefined && state.outcomes.push(outcome),
    onStuck: () => {},
  })
  const start = (fields: Partial<JobStartHead> & { content?: string } = {}, request: Partial<ChatJob> = {}) => {
    const { content = 'one two three', ...rest } = fields
    const frame: JobStart = {
      type: 'job-start',
      job: 'job-1',
      attempt: 0,
      organization: 'organization-1',
      request: { model: 'echo', messages: [{ role: 'user', content }], ...request },
      ...rest,
    }
    runner.receive(frame, link)
    return settle()
  }
  const types = () => frames.map((frame) => frame.type)
  const text = () => frames.map((frame) => (frame.type === 'job-delta' ? frame.text : '')).join('')
  const fill = () => (full = Promise.withResolvers())
  const drain = () => {
    full?.resolve()
    full = undefined
  }
  return { engine, clock, frames, state, link, runner, start, types, text, fill, drain }
}

/** The default attempt of a job. */
export const at = { job: 'job-1', attempt: 0 }
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
