// Runs the engine contract for the adapter: against our own server with the embedded engine behind it, or against a real llama-server with
// the tiny model if HEARTH_LLAMA_SERVER has its address.

import { afterAll, beforeAll, describe } from 'vitest'
import { startEngineFront, type EngineFront } from '../../testing/engine-front.ts'
import { describeEngine } from '../engine.contract.ts'
import type { Engine } from '../engine.ts'
import { createLlamaEngine } from '../llama/llama-engine.ts'
import { TINY_MODEL_PATH } from '../llama/testing/tiny-model.ts'
import { createOpenAiServerEngine } from './openai-server-engine.ts'

const REAL = process.env['HEARTH_LLAMA_SERVER']

describe('adapter', () => {
  let url = REAL ?? ''
  let behind: Engine | undefined
  let front: EngineFront | undefined

  beforeAll(async () => {
    if (REAL !== undefined) return
    behind = createLlamaEngine({ name: 'tiny', path: TINY_MODEL_PATH, slots: 4, threads: 1, gpu: false })
    await behind.start(AbortSignal.timeout(240_000))
    front = await startEngineFront(behind)
    url = front.url
  })
  afterAll(async () => {
    await front?.stop()
    await behind?.stop()
  })

  describeEngine(
    REAL === undefined ? 'a server with the embedded engine' : 'a real llama-server',
    () => createOpenAiServerEngine({ url, models: { tiny: 'tiny' } }),
    {
      model: 'tiny',
      features: ['usage', 'json_object', 'json_schema', 'tools', 'logprobs', 'n', 'logit_bias', 'reasoning_effort'],
      longQuestion: 'Tell me a story.',
      tokens: [
        { id: 65, text: 'A' },
        { id: 66, text: 'B' },
      ],
      toolQuestion: {
        question: 'What is the weather in Oslo?',
        tool: {
          name: 'get_weather',
          description: 'Get the weather',
          parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        },
      },
    },
  )
})
