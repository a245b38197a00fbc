// node-llama-cpp's own loop: one asynchronous iteration per sequence, batched by the library.

import { getLlama, type Token } from 'node-llama-cpp'
import type { System, SystemOptions, Turn } from './system.ts'

export async function startPublicLoop({
  model: modelPath,
  threads,
  slots,
  contextLength,
  gpu: backEnd,
}: SystemOptions): Promise<System> {
  const llama = await getLlama({
    gpu: backEnd ?? false,
    build: 'never',
    skipDownload: true,
    maxThreads: threads,
    logger: () => undefined,
  })
  const model = await llama.loadModel({ modelPath })
  const context = await model.createContext({ sequences: slots, contextSize: contextLength, batchSize: 512 })
  return {
    name: 'node-llama-cpp',
    async answer({ messages, tokens, onToken, signal, temperature = 0 }: Turn) {
      const sequence = context.getSequence()
      try {
        let count = 0
        const prompt = model.tokenize(render(messages), true)
        for await (const token of sequence.evaluate(prompt, { temperature, yieldEogToken: true })) {
          onToken?.(performance.now(), model.detokenize([token satisfies Token]))
          if (++count >= tokens || signal?.aborted === true) break
        }
      } finally {
        await sequence.dispose()
      }
    },
    async stop() {
      await context.dispose()
      await model.dispose()
    },
  }
}

/** Formats messages like the starter model's template. */
function render(messages: Turn['messages']): string {
  const system = '<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n'
  const turns = messages.map(({ role, content }) => `<|im_start|>${role}\n${content}<|im_end|>\n`)
  return `${system}${turns.join('')}<|im_start|>assistant\n`
}
