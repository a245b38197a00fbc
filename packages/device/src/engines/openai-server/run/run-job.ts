// Runs a job on a local server: one request, or one per choice if the server can't do several; their events are merged into one stream with
// one end. It times out a silent server, and releases the slot only when the server has released it too.

import type { ChatEvent, ChatJob, FinishReason, Usage } from '@hearth/protocol'
import type { Clock } from '../../../clock.ts'
import { EngineError, type EngineProgress } from '../../engine.ts'
import { fitContext } from '../request/fit-context.ts'
import { measurePrompt } from '../request/measure-prompt.ts'
import { mergeStreams } from '../reply/merge-streams.ts'
import type { ServerModel } from '../request/request-body.ts'
import { runRequest, type RequestOptions, type RequestResult } from './run-request.ts'
import type { ServerAddress } from '../http/server-address.ts'
import { waitUntilFree } from '../server/wait-until-free.ts'

export interface JobServer {
  address: ServerAddress
  clock: Clock
  /** A request fails if the server sends nothing for this long. */
  silentMs: number
  /** True if the server responded to the last check. */
  isReachable: () => boolean
  /** Checks the server again after an error: its models may have changed. */
  lookAgain: () => void
  /** Takes no more jobs for a model that the server refused, until it has proved itself again. */
  withdraw: (model: string) => void
  /** Requests in progress per model, by the server's name for it. */
  running: Map<string, number>
}

/** How often a silent job is reported as alive while the server is reachable. */
const HEARTBEAT_MS = 10_000

export async function* runJob(
  job: ChatJob,
  model: ServerModel,
  server: JobServer,
  signal: AbortSignal,
  report: (progress: EngineProgress) => void,
): AsyncGenerator<ChatEvent> {
  const abort = new AbortController()
  const bounded = AbortSignal.any([signal, abort.signal])
  const pulse = startPulse(server, abort, bounded, report)
  const groups = groupChoices(job, model)
  let isClean = false
  count(server, model.id, groups.length)
  try {
    pulse.report({ phase: 'prompt' })
    const fitting = await pulse.waitFor(fitContext(job, model, server.address, bounded))
    const options = requestOptions(fitting, model, server, bounded, pulse)
    const streams = groups.map((choices) => runRequest({ ...options, choices }))
    const results = yield* mergeStreams(streams, () => abort.abort(new Error('the job is over')))
    isClean = results.every((result) => !result.isCut)
    yield await toEnd(results, { ...options, signal })
  } catch (error) {
    throw explain(error, signal, abort.signal, server)
  } finally {
    pulse.stop()
    abort.abort(new Error('the job is over'))
    count(server, model.id, -groups.length)
    if (!isClean) await letGo(model, server)
  }
}

// With stop sequences, each choice gets its own request, so that each can be cut off separately.
function groupChoices(job: ChatJob, { abilities, slots }: ServerModel): number[][] {
  const choices = Array.from({ length: job.n ?? 1 }, (_, choice) => choice)
  const isShared = abilities.n && (job.stop ?? []).length === 0
  // Probing tested two; llama-server allows as many as it has slots, and rejects more.
  const size = isShared ? Math.max(2, slots ?? 0) : 1
  return choices.filter((choice) => choice % size === 0).map((first) => choices.slice(first, first + size))
}

function requestOptions(
  job: ChatJob,
  model: ServerModel,
  server: JobServer,
  signal: AbortSignal,
  pulse: Pulse,
): Omit<RequestOptions, 'choices'> {
  return {
    address: server.address,
    model,
    job,
    signal,
    report: pulse.report,
    onWaiting: pulse.wait,
    onFailure: (failure) => {
      if (failure.isModelRefused) server.withdraw(model.id)
      else if (failure.shouldLookAgain) server.lookAgain()
    },
  }
}

async function toEnd(results: RequestResult[], options: Omit<RequestOptions, 'choices'>): Promise<ChatEvent> {
  const finishes: FinishReason[] = results.flatMap((result) => result.finishes)
  const [first] = results
  const usage = first && options.model.abilities.usage ? await countUsage(first, options) : undefined
  return { type: 'end', finishes, ...(usage !== undefined && { usage }) }
}

/** Exact or absent: an answer that we cut off is counted by the server's running count, or by chunks if each proved to be one token. */
async function countUsage(
  result: RequestResult,
  { address, job, model, signal }: Omit<RequestOptions, 'choices'>,
): Promise<Usage | undefined> {
  if (result.usage !== undefined) return result.usage
  if (!result.isCut || !model.abilities.isTokenPerPiece) return undefined
  const promptTokens = await measurePrompt(address, job, model, signal)
  return promptTokens === undefined ? undefined : { promptTokens, completionTokens: result.pieces }
}

interface Pulse {
  report: (progress: EngineProgress) => void
  wait: (isWaiting: boolean) => void
  waitFor: <Value>(answer: Promise<Value>) => Promise<Value>
  stop: () => void
}

function startPulse(
  server: JobServer,
  abort: AbortController,
  bounded: AbortSignal,
  report: (progress: EngineProgress) => void,
): Pulse {
  let last: EngineProgress = { phase: 'prompt' }
  let waiting = 0
  let heardAt = server.clock.now()
  const stop = server.clock.every(HEARTBEAT_MS, () => {
    const isSilent = waiting > 0 && server.clock.now() - heardAt >= server.silentMs
    if (isSilent) abort.abort(new EngineError('failed', 'The local server stopped responding', { retryable: true }))
    else if (server.isReachable()) report(last)
  })
  // Stops the timer of a job that nobody reads anymore, because nothing else would.
  bounded.addEventListener('abort', stop, { once: true })
  const wait = (isWaiting: boolean): void => {
    waiting += isWaiting ? 1 : -1
    heardAt = server.clock.now()
  }
  return {
    stop,
    wait,
    waitFor(answer) {
      wait(true)
      return answer.finally(() => wait(false))
    },
    report(progress) {
      last = progress
      report(progress)
    },
  }
}

function explain(error: unknown, signal: AbortSignal, ours: AbortSignal, server: JobServer): unknown {
  if (signal.aborted) return signal.reason
  if (ours.aborted && ours.reason instanceof EngineError) return ours.reason
  if (error instanceof EngineError && error.retryable) server.lookAgain()
  return error
}

function count(server: JobServer, model: string, change: number): void {
  server.running.set(model, (server.running.get(model) ?? 0) + change)
}

async function letGo(model: ServerModel, server: JobServer): Promise<void> {
  const { address, clock, running } = server
  const others = (): number => running.get(model.id) ?? 0
  await waitUntilFree({ address, clock, product: model.product, model: model.id }, others)
}
