// The cost of a schema for the embedded engine: the CPU time that masking adds to a step, and how long other streams wait while schemas arrive.

import { readFileSync } from 'node:fs'
import { cpuMicros } from '../gateway/process-facts.ts'
import { startStories } from './story-streams.ts'
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
  const prompts = somePrompts(STREAMS)
  const free = await cpuPerToken(system, prompts, { temperature })
  const constrained = await cpuPerToken(system, prompts, { temperature, schema: RECIPES })
  return { free, constrained }
}

export function somePrompts(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `List recipes with ingredient number ${index} as JSON.`)
}

/** Of the engine's process, in microseconds. */
export async function cpuPerToken(system: System, prompts: readonly string[], more: Partial<Turn>): Promise<number> {
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

/** Schemas that take long to compile; each is different from the others and from those of other rounds. */
function hardSchemas(round: number): Readonly<Record<string, unknown>>[] {
  const texts = (pattern: (index: number) => Record<string, unknown>) =>
    Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`text${index}`, { type: 'string', ...pattern(index) }]),
    )
  const object = (properties: Record<string, unknown>) => ({ type: 'object', properties, required: [] })
  return [
    object(texts((index) => ({ maxLength: 900 + 20 * index + round }))),
    object(
      texts((index) => ({ pattern: `^(?=.*[a-z])[a-z${index}]{1,40}-[0-9]{1,${index + round + 2}}$`, maxLength: 64 })),
    ),
    object({ link: { type: 'string', format: 'iri-reference', maxLength: 1000 + round } }),
    object({
      size: { type: 'number', multipleOf: 7 + round },
      page: { type: 'string', format: 'uri', maxLength: 500 + round },
    }),
  ]
}

/** The longest pause of three running streams while hard schemas arrive, and without them, in milliseconds. */
export async function measureGaps(system: System, round: number): Promise<{ without: number; with: number }> {
  const { times, stop } = await startStories(system, 2000, 40)
  const [from, quiet] = [performance.now(), longestGap(times, 0)]
  const messages = [{ role: 'user' as const, content: 'Hi' }]
  for (const schema of hardSchemas(round)) await system.answer({ messages, tokens: 1, schema }).catch(() => undefined)
  const loud = longestGap(times, from)
  await stop()
  return { without: quiet, with: loud }
}

function longestGap(streams: readonly (readonly number[])[], from: number): number {
  const gaps = streams.flatMap((times) => {
    const later = times.filter((at) => at >= from)
    return later.slice(1).map((at, index) => at - later[index]!)
  })
  return Math.max(...gaps)
}
