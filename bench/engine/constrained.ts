// What a schema costs the embedded engine: the CPU time that masking adds to a step, and how long other streams wait while schemas arrive.

import { readFileSync } from 'node:fs'
import { cpuMicros } from '../gateway/process-facts.ts'
import type { System, Turn } from './system.ts'

const STREAMS = 8
const TOKENS = 96

/** Texts, numbers, dates and choices, and long enough that no stream ends early. */
const RECIPES = {
  type: 'object',
  properties: {
    recipes: {
      type: 'array',
      minItems: 20,
      items: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          kind: { enum: ['starter', 'main course', 'dessert'] },
          minutes: { type: 'integer', minimum: 1, maximum: 600 },
          vegetarian: { type: 'boolean' },
          added: { type: 'string', format: 'date' },
          ingredients: { type: 'array', items: { type: 'string', maxLength: 40 } },
        },
        required: ['name', 'kind', 'minutes', 'vegetarian', 'added', 'ingredients'],
        additionalProperties: false,
      },
    },
  },
  required: ['recipes'],
  additionalProperties: false,
}

export interface MaskingCost {
  /** Microseconds of CPU time per token of 8 streams, in the engine's process. */
  free: number
  constrained: number
}

/** Both kinds of streams in turn, with the same prompts. */
export async function measureMasking(system: System, temperature: number): Promise<MaskingCost> {
  const prompts = Array.from({ length: STREAMS }, (_, index) => `List recipes with ingredient number ${index} as JSON.`)
  const free = await cpuPerToken(system, prompts, { temperature })
  const constrained = await cpuPerToken(system, prompts, { temperature, schema: RECIPES })
  return { free, constrained }
}

async function cpuPerToken(system: System, prompts: readonly string[], more: Partial<Turn>): Promise<number> {
  const pids = childrenOf(process.pid)
  const before = cpuMicros(pids)
  await Promise.all(
    prompts.map((content) => system.answer({ messages: [{ role: 'user', content }], tokens: TOKENS, ...more })),
  )
  return (cpuMicros(pids) - before) / (TOKENS * prompts.length)
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
}
