// A deterministic engine for tests: repeats the last message word by word, as fast as the caller reads. A test can pause it, break it and
// count its jobs.

import type { ChatEvent, ChatJob, DeviceModel } from '@hearth/protocol'
import type { ChangingEngine, EngineEnd, EngineProgress, ModelEngine, Memory } from '../engines/engine.ts'

export interface EchoEngine extends Omit<ChangingEngine, 'start'>, ModelEngine {
  /** Words produced so far. */
  produced: number
  /** Jobs that occupy a slot. */
  running: number
  isStopped: boolean
  /** Changes the result of models(). */
  serve(models: DeviceModel[]): void
  /** Dies, as a process does that crashes. */
  die(end: EngineEnd): void
}

export interface EchoOptions {
  models?: DeviceModel[]
  /** Awaited before each word. */
  before?: (word: number, signal: AbortSignal, report: (progress: EngineProgress) => void) => Promise<void> | void
  start?: ModelEngine['start']
  memory?: Memory
}

export const ECHO_MODEL: DeviceModel = {
  name: 'echo',
  contextLength: 1_000,
  slots: 2,
  features: ['usage', 'json_object', 'logprobs', 'n'],
}

export function createEchoEngine(options: EchoOptions = {}): EchoEngine {
  let models = options.models ?? [ECHO_MODEL]
  const listeners = new Set<() => void>()
  const ended = Promise.withResolvers<EngineEnd>()
  const engine: EchoEngine = {
    kind: 'echo',
    produced: 0,
    running: 0,
    isStopped: false,
    ended: ended.promise,
    start: (signal, room, report) => options.start?.(signal, room, report) ?? Promise.resolve(),
    memory: options.memory,
    models: () => (engine.isStopped ? [] : models),
    run: (job, signal, report) => echo(engine, options, job, signal, report),
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stop() {
      engine.isStopped = true
      return Promise.resolve()
    },
    serve(next) {
      models = next
      listeners.forEach((listener) => listener())
    },
    die: ended.resolve,
  }
  return engine
}

/** As what happens before a word: the job waits there until it is canceled. */
export function untilAborted(_word: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

/** A start that only its cancellation ends. */
export function neverStarts(signal: AbortSignal): Promise<void> {
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
  )
}

async function* echo(
  engine: EchoEngine,
  options: EchoOptions,
  job: ChatJob,
  signal: AbortSignal,
  report: (progress: EngineProgress) => void,
): AsyncGenerator<ChatEvent> {
  engine.running += 1
  try {
    const words = job.messages.at(-1)?.content.split(/(?<= )/) ?? []
    for (const [index, text] of words.entries()) {
      await options.before?.(index, signal, report)
      if (signal.aborted) throw signal.reason
      engine.produced += 1
      yield { type: 'text', choice: 0, text }
    }
    yield {
      type: 'end',
      finishes: ['stop'],
      usage: { promptTokens: words.length, completionTokens: words.length },
    }
  } finally {
    engine.running -= 1
  }
}
