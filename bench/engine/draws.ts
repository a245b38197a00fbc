// How long it takes to draw a token, for one or several versions of the engine in turns: `npm run bench:draws -- model.gguf [other checkouts]`.
// Every reply follows what is drawn, and only the draws are measured.

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { loadModel } from '../../packages/device/src/engines/llama/native/load-model.ts'
import { Sampler, type SamplerSettings } from '../../packages/device/src/engines/llama/decode/sampling/sampler.ts'
import { median } from '../percentile.ts'

const SETTINGS: readonly SamplerSettings[] = [
  { temperature: 0 },
  { temperature: 0.2, topP: 0.9 },
  { temperature: 0.2, topP: 0.9, frequencyPenalty: 0.4 },
  { temperature: 0.8 },
  { temperature: 0.8, frequencyPenalty: 0.4 },
  { temperature: 1, topP: 0.95 },
]
const PROMPT = '<|im_start|>user\nWrite about the sea.<|im_end|>\n<|im_start|>assistant\n'
const REPLY_TOKENS = 24
const ROUNDS = 5

const { positionals } = parseArgs({ allowPositionals: true })
const [path = 'model.gguf', ...others] = positionals
const inEngine = 'packages/device/src/engines/llama/decode/sampling/sampler.ts'
const older = await Promise.all(
  others.map(async (root) => ((await import(resolve(root, inEngine))) as { Sampler: typeof Sampler }).Sampler),
)
const samplers = [Sampler, ...older]

const options = { name: 'model', path, slots: 1, contextLength: 1024, gpu: false as const }
const loaded = await loadModel(options, new AbortController().signal)
if (loaded === undefined) throw new Error('The model does not fit into memory')
const { native } = loaded

console.log(`µs per draw, median of ${ROUNDS} rounds: ${['this', ...others].join(' / ')}`)
for (const settings of SETTINGS) {
  const rounds = samplers.map((): number[] => [])
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, kind] of samplers.entries())
      rounds[index]!.push(await measure(new kind(native, settings, round)))
  console.log(`${JSON.stringify(settings)}: ${rounds.map((times) => median(times).toFixed(0)).join(' / ')}`)
}
await native.dispose()
process.exit(0)

/** The time of one draw, in microseconds: each reply follows what is drawn, and only the draws are measured. */
async function measure(sampler: Sampler): Promise<number> {
  const { context, vocabulary } = native
  let next = Uint32Array.from(vocabulary.tokenize(PROMPT, true))
  let position = 0
  let ms = 0
  context.disposeSequence(0)
  for (let count = 0; count < REPLY_TOKENS; count++) {
    context.initBatch(next.length)
    const [at] = context.addToBatch(0, position, next, Uint32Array.of(next.length - 1))
    await context.decodeBatch()
    position += next.length
    const begun = performance.now()
    const token = await sampler.draw(at!)
    ms += performance.now() - begun
    next = Uint32Array.of(token)
  }
  sampler.dispose()
  return (ms / REPLY_TOKENS) * 1_000
}
