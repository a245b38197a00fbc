// The whole engine on the tiny model, without its process: jobs in, events out.

import type { ChatEvent, ChatJob, JobTool } from '@hearth/protocol'
import { afterAll } from 'vitest'
import type { EngineError, EngineProgress } from '../../engine.ts'
import { toReply, type Reply } from '../../testing/collect-reply.ts'
import { ChatRun, type ModelParts } from '../run/chat-run.ts'
import { createModelParts } from '../run/model-parts.ts'
import type { LlamaOptions } from '../llama-options.ts'
import { studyHere } from './study-here.ts'
import { loadTinyModel } from './tiny-model.ts'

export type TinyEngine = Awaited<ReturnType<typeof openTinyEngine>>

/** `ask` throws the job's EngineError. */
export async function openTinyEngine(options: Partial<LlamaOptions> = {}) {
  const native = await loadTinyModel(options)
  const parts = createModelParts(native, studyHere(native), {
    guessing: options.guessing,
    isStrict: options.repeatable === true,
  })
  return {
    parts,
    ask: (job: Partial<ChatJob> | string) =>
      ask(parts, typeof job === 'string' ? greedy(job) : { ...greedy(''), ...job }),
    async close() {
      await parts.loop.stop()
      await parts.native.dispose()
    },
  }
}

/** One for all tests of a file. */
export async function useTinyEngine(options: Partial<LlamaOptions>): Promise<TinyEngine> {
  const engine = await openTinyEngine(options)
  afterAll(() => engine.close())
  return engine
}

/** The tiny model calls it when it is asked for the weather. */
export const WEATHER: JobTool = {
  name: 'get_weather',
  description: 'Get the weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

export function greedy(question: string, rest: Partial<ChatJob> = {}): ChatJob {
  return { model: 'tiny', messages: [{ role: 'user', content: question }], temperature: 0, maxTokens: 120, ...rest }
}

function ask(parts: ModelParts, job: ChatJob): Promise<Reply> {
  const events: ChatEvent[] = []
  const progress: EngineProgress[] = []
  return new Promise((resolve, reject) => {
    const run = new ChatRun(parts, job, {
      event: (event) => events.push(event),
      progress: (step) => progress.push(step),
      end: (error: EngineError | undefined) =>
        error === undefined ? resolve(toReply(events, progress)) : reject(error),
    })
    void run.start()
  })
}
