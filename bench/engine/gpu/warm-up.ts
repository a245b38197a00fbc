// How long a model takes to be ready on a GPU, and whether the first requests are as fast as later ones. Empty the folder of compiled kernels
// (CUDA_CACHE_PATH) to see a first start. `node bench/engine/gpu/warm-up.ts --model model.gguf --gpu cuda --jobs 1,8,32`

import { parseArgs } from 'node:util'
import { createLlamaEngine } from '../../../packages/device/src/engines/llama/llama-engine.ts'
import { textOptions } from '../text-options.ts'

const { values } = parseArgs({
  options: {
    ...textOptions({ model: 'model.gguf', gpu: 'cuda', slots: '32', context: '4096' }),
    ...textOptions({ jobs: '1,8,32', prompts: '100,1250' }),
  },
})
const gpu = values.gpu === 'off' ? false : (values.gpu as 'cuda' | 'vulkan' | 'metal')
const sizes = { slots: Number(values.slots), contextLength: Number(values.context) }
const engine = createLlamaEngine({ name: 'm', path: values.model, gpu, ...sizes })
const begun = performance.now()
await engine.start(AbortSignal.timeout(600_000), undefined, ({ step, done, total }) =>
  console.log(`${seconds(performance.now() - begun)} ${step} ${done} of ${total}`),
)
console.log(`ready after ${seconds(performance.now() - begun)}`)
console.log('prompt, jobs | first token: first time, second time (longest of all jobs)')
for (const words of values.prompts.split(',').map(Number))
  for (const jobs of values.jobs.split(',').map(Number)) {
    const times = [await longestFirstToken(words, jobs), await longestFirstToken(words, jobs)]
    console.log(`${words}, ${jobs} | ${times.map(seconds).join(', ')}`)
  }
await engine.stop()
process.exit(0)

async function longestFirstToken(words: number, jobs: number): Promise<number> {
  return Math.max(...(await Promise.all(Array.from({ length: jobs }, () => firstToken(words)))))
}

/** Every prompt is new, so that no cache helps. */
async function firstToken(words: number): Promise<number> {
  const since = performance.now()
  const content = `${crypto.randomUUID()} ${'river '.repeat(words)}`
  const job = { model: 'm', messages: [{ role: 'user' as const, content }], maxTokens: 16 }
  let first: number | undefined
  for await (const event of engine.run(job, AbortSignal.timeout(600_000), () => undefined))
    if (event.type === 'text') first ??= performance.now() - since
  return first ?? performance.now() - since
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(2)} s`
}
