// What a draft saves, and what it costs where it saves nothing. The model writes what the starter model writes, but takes several times as
// long. The starter model is its draft: at temperature 0 it is always right, and at a high one hardly ever.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeDeepModel } from './deep-model.ts'
import { startHearth } from './hearth.ts'
import type { System, SystemOptions } from './system.ts'

const TIMES_DEEPER = 4
const TOKENS = 64
const QUESTIONS = ['Tell me a story about a lighthouse.', 'Explain how bread is made.', 'Why is the sky blue?']

interface Case {
  name: string
  temperature: number
  jobs: number
}

const CASES: readonly Case[] = [
  { name: 'always right, 1 job', temperature: 0, jobs: 1 },
  { name: 'always right, 3 jobs', temperature: 0, jobs: 3 },
  { name: 'often right, 1 job', temperature: 0.7, jobs: 1 },
  { name: 'hardly ever right, 1 job', temperature: 3, jobs: 1 },
]

/** Rows of a table: tokens per second without and with the draft, and the median of their ratios. */
export async function* compareDrafting(options: SystemOptions, rounds: number): AsyncGenerator<string> {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-bench-'))
  const deep = join(folder, 'deep.gguf')
  writeDeepModel(options.model, deep, TIMES_DEEPER)
  const small = { ...options, model: deep, slots: 4, contextLength: 512 }
  const systems = [
    await startHearth(small),
    await startHearth({ ...small, draft: { name: 'draft', path: options.model } }),
  ]
  try {
    for (const one of CASES) yield await compareCase(systems, one, rounds)
  } finally {
    for (const system of systems) await system.stop()
    rmSync(folder, { recursive: true })
  }
}

async function compareCase(systems: readonly System[], one: Case, rounds: number): Promise<string> {
  const measured: number[][] = []
  for (let round = 0; round < rounds; round++) {
    const figures: number[] = []
    for (const system of systems) figures.push(await tokensPerSecond(system, one, round))
    measured.push(figures)
  }
  const [without, withDraft] = [0, 1].map((index) => median(measured.map((figures) => figures[index]!)))
  const ratio = median(measured.map(([plain, drafted]) => drafted! / plain!))
  return [
    `a draft that is ${one.name}: without, with`,
    `${without!.toFixed(1)} tokens/s`,
    `${withDraft!.toFixed(1)} tokens/s`,
    ratio.toFixed(2),
  ].join(' | ')
}

/** From the first token on: the draft has nothing to do with prompts. */
async function tokensPerSecond(system: System, { temperature, jobs }: Case, round: number): Promise<number> {
  const times: number[] = []
  const questions = Array.from({ length: jobs }, (_, index) => QUESTIONS[(round + index) % QUESTIONS.length]!)
  let tokens = 0
  await Promise.all(
    questions.map(async (content) => {
      const own: number[] = []
      const messages = [{ role: 'user' as const, content: `${content} (${round})` }]
      await system.answer({ messages, tokens: TOKENS, temperature, onToken: (at) => own.push(at) })
      tokens += TOKENS - 1
      times.push(...own)
    }),
  )
  return (tokens / (Math.max(...times) - Math.min(...times))) * 1000
}

function median(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)]!
}
