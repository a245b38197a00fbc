// A job on a local server: one request, or one per choice where the server makes only one; their events together; one end. Watches over the
// silence of the server, and gives the slot back only when the server has let go of it.

import type { ChatEvent, ChatJob, FinishReason, Usage } from '@hearth/protocol'
import type { Clock } from '../../clock.ts'
import { EngineError, type EngineProgress } from '../engine.ts'
import { refuseTooLong } from './fit-context.ts'
import { measurePrompt } from './measure-prompt.ts'
import { mergeStreams } from './merge-streams.ts'
import type { ServerModel } from './request-body.ts'
import { runRequest, type RequestOptions, type RequestResult } from './run-request.ts'
import type { ServerAddress } from './server-address.ts'
import { waitUntilFree } from './slots.ts'

export interface JobServer {
  address: ServerAddress
  clock: Clock
  /** A server that sends nothing for this long, while it is asked, is given up. */
  silentMs: number
  /** It answered when it was last looked at. */
  isReachable: () => boolean
  /** Something went wrong: what is listed may have changed. */
  lookAgain: () => void
  /** Requests under way per model, as the server calls it. */
  running: Map<string, number>
}

/** How often a silent job is reported as alive while the server still answers otherwise. */
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
    await refuseTooLong(job, model, server.address, bounded)
    const options = requestOptions(job, model, server, bounded, pulse)
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

// With stop texts each choice is a request too: one that has reached its end must not keep the others from being cut off.
function groupChoices(job: ChatJob, { abilities, slots }: ServerModel): number[][] {
  const choices = Array.from({ length: job.n ?? 1 }, (_, choice) => choice)
  const isShared = abilities.n && (job.stop ?? []).length === 0
  // Two were seen; llama-server makes as many as it has slots, and refuses more.
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
      if (failure.shouldLookAgain) server.lookAgain()
    },
  }
}

async function toEnd(results: RequestResult[], options: Omit<RequestOptions, 'choices'>): Promise<ChatEvent> {
  const finishes: FinishReason[] = results.flatMap((result) => result.finishes)
  const usage = options.model.abilities.usage ? await countUsage(results[0]!, options) : undefined
  return { type: 'end', finishes, ...(usage !== undefined && { usage }) }
}

/** Exact or absent: what we cut off is counted by the server's running count, or by pieces where each was seen to be a token. */
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
    if (isSilent) abort.abort(new EngineError('failed', 'The local server stopped answering', { retryable: true }))
    else if (server.isReachable()) report(last)
  })
  // A job that nobody pulls any more is not told to end in any other way.
  bounded.addEventListener('abort', stop, { once: true })
  return {
    stop,
    report(progress) {
      last = progress
      report(progress)
    },
    wait(isWaiting) {
      waiting += isWaiting ? 1 : -1
      heardAt = server.clock.now()
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
