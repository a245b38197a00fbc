// `npm run bench:engine`: compares the embedded engine with node-llama-cpp's own loop and, with LLAMA_SERVER, llama.cpp's server, on the
// starter model (HEARTH_STARTER_GGUF). Every round measures all systems in turn; only ratios within one run are meaningful.

import { parseArgs } from 'node:util'
import { cpuPerToken, measureGaps, measureMasking, somePrompts } from './constrained.ts'
import { median } from '../percentile.ts'
import { startHearth } from './hearth.ts'
import { inTurns } from './in-turns.ts'
import { startLlamaServer } from './llama-server.ts'
import { measuresOf, type Measures } from './measures.ts'
import { startPublicLoop } from './public-loop.ts'
import type { System, SystemOptions } from './system.ts'
import { textOptions } from './text-options.ts'

const { values } = parseArgs({
  options: {
    ...textOptions({ rounds: '3', threads: '1', temperature: '0' }),
    gpu: { type: 'string' },
    only: { type: 'string' },
  },
})
const model = process.env['HEARTH_STARTER_GGUF']
if (model === undefined) throw new Error('Set HEARTH_STARTER_GGUF to a model file')
const server = process.env['LLAMA_SERVER']
const options: SystemOptions = {
  model,
  threads: Number(values.threads),
  slots: 8,
  contextLength: 4096,
  ...(values.gpu === undefined ? {} : { gpu: values.gpu as 'cuda' | 'vulkan' | 'metal' }),
}
const temperature = Number(values.temperature)

interface Figure {
  name: string
  unit: string
  /** Higher is better. */
  isRate: boolean
  measure: (measures: Measures) => Promise<number>
}

const FIGURES: Figure[] = [
  { name: 'prompt of 1,500 tokens', unit: 'tokens/s', isRate: true, measure: (m) => m.promptTokensPerSecond() },
  ...[1, 4, 8].flatMap((jobs) =>
    (['writing', 'answering'] as const).map((kind) => ({
      name: `${kind}, ${jobs} ${jobs === 1 ? 'job' : 'jobs'}`,
      unit: 'tokens/s',
      isRate: true,
      measure: async (m: Measures) => (await m.tokensPerSecond(jobs))[kind],
    })),
  ),
  {
    name: 'next turn ÷ cold first token',
    unit: '',
    isRate: false,
    measure: async (m) => ratio(await m.firstTokenMs()),
  },
  { name: 'longest gap while a prompt arrives', unit: 'ms', isRate: false, measure: (m) => m.longestGapMs() },
  { name: 'cancelling a reply', unit: 'ms', isRate: false, measure: (m) => m.cancelMs('reply') },
  { name: 'cancelling a prompt', unit: 'ms', isRate: false, measure: (m) => m.cancelMs('prompt') },
]

function ratio({ cold, next }: { cold: number; next: number }): number {
  return next / cold
}

// Its process is the only child yet, so CPU time is its own.
const hearth = await startHearth(options)
for (const heat of [0, 1].filter(() => isWanted('masking'))) console.log(await compareMasking(heat))
if (isWanted('schemas')) console.log(await compareGaps())

if (isWanted('repeatable')) await compareRepeatable()

const systems: System[] = [
  hearth,
  await startPublicLoop(options),
  ...(server === undefined ? [] : [await startLlamaServer(server, options)]),
]
if (server === undefined) console.log('LLAMA_SERVER is not set: skipping llama-server')

try {
  for (const system of systems) await measuresOf(system, temperature).tokensPerSecond(1)
  console.log(['figure', ...systems.map(({ name }) => name), 'hearth ÷ others'].join(' | '))
  for (const figure of FIGURES.filter(({ name }) => isWanted(name))) console.log(await compare(figure))
} finally {
  for (const system of systems) await system.stop()
}
process.exit(0)

function isWanted(name: string): boolean {
  return values.only === undefined || name.includes(values.only)
}

async function compareMasking(heat: number): Promise<string> {
  await measureMasking(hearth, heat)
  const rounds = []
  for (let round = 0; round < Number(values.rounds); round++) rounds.push(await measureMasking(hearth, heat))
  const figures = [rounds.map(({ free }) => free), rounds.map(({ constrained }) => constrained)].map(median)
  const ratios = median(rounds.map(({ free, constrained }) => constrained / free))
  const shown = figures.map((micros) => `${Math.round(micros)} µs/token`)
  return [`masking, 8 streams, temperature ${heat}: CPU free, constrained`, ...shown, ratios.toFixed(3)].join(' | ')
}

/** In CPU time, which a busy machine changes least. */
async function compareRepeatable(): Promise<void> {
  const both = [hearth, await startHearth({ ...options, repeatable: true })]
  const answer = (system: System, jobs: number) => cpuPerToken(system, somePrompts(jobs), { temperature: 0 })
  for (const jobs of [1, 2, 4, 8]) {
    const rounds = await inTurns(both, Number(values.rounds), (system) => answer(system, jobs))
    const shown = both.map((_, index) => `${Math.round(median(rounds.map((figures) => figures[index]!)))} µs/token`)
    const times = median(rounds.map(([usual, repeatable]) => repeatable! / usual!))
    console.log([`repeatable, ${jobs} at once: CPU without, with`, ...shown, times.toFixed(2)].join(' | '))
  }
  await both[1]!.stop()
}

async function compareGaps(): Promise<string> {
  const rounds = []
  for (let round = 0; round < Number(values.rounds); round++) rounds.push(await measureGaps(hearth, round))
  const figures = [rounds.map((round) => round.without), rounds.map((round) => round.with)].map(median)
  const shown = figures.map((milliseconds) => `${Math.round(milliseconds)} ms`)
  return ['longest gap without, and while hard schemas arrive', ...shown].join(' | ')
}

/** One row of the table: the medians of the rounds, and the medians of their ratios. */
async function compare({ name, unit, measure }: Figure): Promise<string> {
  const rounds = await inTurns(systems, Number(values.rounds), (system) => measure(measuresOf(system, temperature)))
  const own = systems.map((_, index) => median(rounds.map((figures) => figures[index]!)))
  const ratios = systems.slice(1).map((_, index) => median(rounds.map((figures) => figures[0]! / figures[index + 1]!)))
  const shown = [
    ...own.map((value) => `${value.toPrecision(3)} ${unit}`.trim()),
    ratios.map((value) => value.toFixed(2)).join(', '),
  ]
  return [name, ...shown].join(' | ')
}
