// Starts a stand-in server with the engine in front of it, for one test.

import type { ChatEvent, JobMessage } from '@hearth/protocol'
import { onTestFinished } from 'vitest'
import { startStandIn, type StandInOptions } from '../../../testing/stand-ins/server.ts'
import type { ChangingEngine, Engine, EngineJob, EngineProgress } from '../../engine.ts'
import { createOpenAiServerEngine, type OpenAiServerOptions } from '../openai-server-engine.ts'

export async function serve(standIn: StandInOptions = {}, options: Partial<OpenAiServerOptions> = {}) {
  const server = await startStandIn(standIn)
  const problems: string[] = []
  const engine = createOpenAiServerEngine({ url: server.url, onProblem: (text) => problems.push(text), ...options })
  onTestFinished(async () => {
    await engine.stop()
    await server.stop()
  })
  await engine.start(new AbortController().signal)
  // The tests don't care about the probe requests.
  server.chats.length = 0
  return { server, engine, problems }
}

export function user(content: string): JobMessage[] {
  return [{ role: 'user', content }]
}

export interface RunOptions {
  signal?: AbortSignal
  report?: (progress: EngineProgress) => void
}

/** Returns the events of a job on the engine's first model. */
export async function run(engine: Engine, job: Partial<EngineJob>, options: RunOptions = {}): Promise<ChatEvent[]> {
  const events: ChatEvent[] = []
  for await (const event of start(engine, job, options)) events.push(event)
  return events
}

export function start(
  engine: Engine,
  job: Partial<EngineJob>,
  { signal = new AbortController().signal, report = () => undefined }: RunOptions = {},
): AsyncIterable<ChatEvent> {
  const model = engine.models()[0]?.name ?? 'some-model'
  return engine.run({ model, messages: user('Count from 1 to 9.'), temperature: 0, ...job }, signal, report)
}

export function textOf(events: readonly ChatEvent[], choice = 0): string {
  return events.map((event) => (event.type === 'text' && event.choice === choice ? event.text : '')).join('')
}

export function endOf(events: readonly ChatEvent[]): Extract<ChatEvent, { type: 'end' }> {
  const last = events.at(-1)
  if (last?.type !== 'end') throw new Error('the job has no end')
  return last
}

/** Resolves after the first change that makes `holds` true. */
export function until(engine: ChangingEngine, holds: () => boolean): Promise<void> {
  if (holds()) return Promise.resolve()
  return new Promise((resolve) => {
    const stop = engine.onChange(() => {
      if (!holds()) return
      stop()
      resolve()
    })
  })
}
