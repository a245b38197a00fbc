// The embedded engine, used the way the device app does: through its own process.

import { createLlamaEngine } from '@hearth/device/llama-engine'
import type { System, SystemOptions, Turn } from './system.ts'

/** Tokens that would end an answer of the starter model early. */
const ENDS = { '0': -100, '2': -100, '4': -100 }
const NEVER = new AbortController().signal

export async function startHearth({ model, gpu, key, ...options }: SystemOptions): Promise<System> {
  const engine = createLlamaEngine({ name: 'model', path: model, gpu: gpu ?? false, ...options })
  await engine.start(AbortSignal.timeout(120_000))
  return {
    name: 'hearth',
    async answer({ messages, tokens, onToken, signal = NEVER, temperature = 0, schema }: Turn) {
      const job = {
        model: 'model',
        messages: [...messages],
        temperature,
        maxTokens: tokens,
        logitBias: ENDS,
        ...(key === undefined ? {} : { prefixScope: { name: key } }),
        ...(schema === undefined ? {} : { responseFormat: { type: 'json_schema' as const, name: 'answer', schema } }),
      }
      try {
        for await (const event of engine.run(job, signal, () => undefined))
          if (event.type === 'text') onToken?.(performance.now(), event.text)
      } catch (error) {
        if (!signal.aborted) throw error
      }
    },
    stop: () => engine.stop(),
  }
}
