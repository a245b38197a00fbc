// Compares the product, through its gateway, with llama.cpp's server asked directly, on one GPU. The machine needs no network: pack.sh packs
// everything elsewhere, build.sh unpacks and builds it there. Then, in the folder that build.sh filled:
// `node/node hearth/bench/engine/gpu/main.ts --model random8b --slots 32 --jobs 1,8,32`. Only ratios within one run are meaningful.

import { parseArgs } from 'node:util'
import { median } from '../../percentile.ts'
import { textOptions } from '../text-options.ts'
import { runLoad, type Load, type LoadResult } from './load.ts'
import { startHearth, startLlamaServer, type GpuSystem } from './system.ts'

const { values } = parseArgs({
  options: {
    ...textOptions({ work: process.cwd(), model: 'model', slots: '32', context: '2500' }),
    ...textOptions({ jobs: '1,8,32', prompts: '100,1250', tokens: '200', rounds: '3' }),
    'equal-sampling': { type: 'boolean', default: false },
  },
})
const { work, model } = values
const options = {
  work,
  model,
  slots: Number(values.slots),
  contextLength: Number(values.context),
  isEqualSampling: values['equal-sampling'],
}
const list = (text: string) => text.split(',').map(Number)

const systems: GpuSystem[] = []
try {
  for (const start of [startHearth, startLlamaServer]) systems.push(await start(options))
  for (const system of systems) await runLoad(system, { jobs: 1, promptTokens: 100, replyTokens: 20 })
  console.log('model, prompt, jobs | tokens/s | ratio | first token, ms | ratio | longest gap, ms')
  for (const promptTokens of list(values.prompts))
    for (const jobs of list(values.jobs))
      console.log(await compare({ promptTokens, jobs, replyTokens: Number(values.tokens) }))
} finally {
  for (const system of systems) await system.stop()
}
process.exit(0)

/** One row: the medians of the rounds, Hearth's first. Every round measures both systems in turn. */
async function compare(load: Load): Promise<string> {
  const rounds: LoadResult[][] = []
  for (let round = 0; round < Number(values.rounds); round++) {
    const results: LoadResult[] = []
    for (const system of systems) results.push(await runLoad(system, load))
    rounds.push(results)
  }
  const columns = [
    `${model}, ${load.promptTokens}, ${load.jobs}`,
    ...show(rounds, 'tokensPerSecond'),
    ...show(rounds, 'firstTokenMs'),
    show(rounds, 'longestGapMs')[0],
  ]
  return columns.join(' | ')
}

function show(rounds: readonly LoadResult[][], figure: keyof LoadResult): [figures: string, ratio: string] {
  const figures = systems.map((_, index) => median(rounds.map((results) => results[index]![figure])).toFixed(0))
  const ratio = median(rounds.map((results) => results[0]![figure] / results[1]![figure]))
  return [figures.join(' / '), ratio.toFixed(2)]
}
