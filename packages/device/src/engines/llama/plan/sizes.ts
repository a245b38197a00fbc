// The sizes a model may get, from the least to the most wanted. A plan takes the last one that fits, so more memory never gives less.
//
// The order: first a context worth having, up to 8,192 tokens, even if a part of the model has to stay off the GPU for it. Then, on a GPU,
// a context for coding agents (32,768), a few slots, the model's own length, and as many slots as fit. On a CPU a few slots come before a
// longer context, and both end earlier: it reads long prompts for minutes, and more slots make none of them faster.

import type { CacheType } from './memory-need.ts'

export interface Size {
  slots: number
  context: number
  cache: CacheType
  keepsOnlyWindow: boolean
  /** Not worth it unless the whole model is on the GPU. */
  needsGpu: boolean
  /** Not worth it if it takes more than half of the memory that the weights leave to the owner. */
  isExtra: boolean
}

export interface Wishes {
  slots?: number
  context?: number
  gpuLayers?: number
  /** No other cache works with this model. */
  cache?: CacheType
  /** The model is loaded with this many layers on the GPU. */
  loadedLayers?: number
}

export interface SizeLimits {
  trained: number
  hasWindow: boolean
  mostSlots: number
  hasGpu: boolean
}

const SMALL = [1024, 2048, 3072, 4096, 6144, 8192] as const
export const WORTH_HAVING = 8192
const AGENT = [16_384, 32_768] as const
/** Longer prompts keep a CPU busy for more than five minutes. */
export const LONGEST_ON_CPU = 32_768
const LONG = [49_152, 65_536, 98_304, 131_072, 196_608, 262_144, 524_288, 1_048_576] as const
const LEAST_CONTEXT = 256
export const FEW_SLOTS = 4

export function sizes(limits: SizeLimits, wishes: Wishes): Size[] {
  const chain = limits.hasGpu ? [...worthHaving(limits, wishes), ...onGpu(limits, wishes)] : onCpu(limits, wishes)
  return wishes.cache === undefined ? chain : chain.filter(({ cache }) => cache === wishes.cache)
}

/** Any part of the model may be on the GPU. */
function worthHaving(limits: SizeLimits, wishes: Wishes): Size[] {
  const slots = wishes.slots ?? 1
  const contexts = firstContexts(limits, wishes)
  const one = contexts.flatMap((context) => ways({ slots, context, ...BASE }, limits))
  const context = Math.max(...contexts)
  // Only without the option of a smaller cache is the larger one tried this early: layers on the GPU are worth more.
  const large = { slots, context, ...BASE, cache: 'f16' as const }
  const first = wishes.cache === 'f16' ? contexts.map((length) => ({ ...large, context: length })) : []
  return [...one, ...first, ...few(wishes).map((count) => ({ ...BASE, slots: count, context, isExtra: true }))]
}

function onGpu(limits: SizeLimits, wishes: Wishes): Size[] {
  const base = { ...BASE, needsGpu: true }
  const slots = wishes.slots ?? 1
  const first = Math.max(...firstContexts(limits, wishes))
  const agent = wishes.context === undefined ? upTo(limits.trained, AGENT) : []
  const context = agent.at(-1) ?? first
  const long = wishes.context === undefined ? beyond(context, limits.trained) : []
  const most = long.at(-1) ?? context
  const some = few(wishes).at(-1) ?? slots
  const extra = { ...base, isExtra: true }
  return [
    ...ways({ ...base, slots, context: first }, limits),
    { ...base, slots, context: first, cache: 'f16' },
    ...agent.flatMap((length) => ways({ ...extra, slots, context: length }, limits)),
    ...few(wishes).flatMap((count) => ways({ ...extra, slots: count, context }, limits)),
    ...long.flatMap((length) => ways({ ...extra, slots: some, context: length }, limits)),
    { ...extra, slots: some, context: most, cache: 'f16' },
    ...many(wishes, limits).map((count) => ({ ...extra, slots: count, context: most, cache: 'f16' as const })),
  ]
}

function onCpu(limits: SizeLimits, wishes: Wishes): Size[] {
  const slots = wishes.slots ?? 1
  const contexts = firstContexts(limits, wishes)
  const first = Math.max(...contexts)
  const longer = wishes.context === undefined ? upTo(Math.min(limits.trained, LONGEST_ON_CPU), AGENT) : []
  const some = few(wishes).at(-1) ?? slots
  const extra = { ...BASE, cache: 'f16' as const, isExtra: true }
  return [
    ...contexts.flatMap((context) => ways({ ...BASE, slots, context }, limits)),
    ...contexts.slice(wishes.cache === 'f16' ? 0 : -1).map((context) => ({ ...extra, slots, context, isExtra: false })),
    ...few(wishes).map((count) => ({ ...extra, slots: count, context: first })),
    ...longer.map((context) => ({ ...extra, slots: some, context })),
    ...many(wishes, limits).map((count) => ({ ...extra, slots: count, context: longer.at(-1) ?? first })),
  ]
}

const BASE = { cache: 'q8_0', keepsOnlyWindow: false, needsGpu: false, isExtra: false } as const

function firstContexts({ trained }: SizeLimits, { context }: Wishes): number[] {
  if (context !== undefined) return [Math.min(trained, Math.max(LEAST_CONTEXT, Math.floor(context)))]
  return [...new Set(SMALL.map((length) => Math.min(trained, length)))]
}

/** The ways to keep this many tokens: windowed layers keep only their window, if keeping everything would cost slots or context. */
function ways(size: Size, { hasWindow }: SizeLimits): Size[] {
  const small = { ...size, keepsOnlyWindow: true }
  return hasWindow ? [small, { ...small, cache: 'f16' }, size] : [size]
}

function few({ slots }: Wishes): number[] {
  return slots === undefined ? [2, 3, FEW_SLOTS] : []
}

function many({ slots }: Wishes, { mostSlots }: SizeLimits): number[] {
  if (slots !== undefined) return []
  return Array.from({ length: Math.max(0, mostSlots - FEW_SLOTS) }, (_, index) => FEW_SLOTS + 1 + index)
}

function upTo(most: number, steps: readonly number[]): number[] {
  if (most <= WORTH_HAVING) return []
  return [...new Set([...steps.filter((length) => length < most), Math.min(most, Math.max(...steps))])]
}

function beyond(context: number, trained: number): number[] {
  if (trained <= context) return []
  return [...LONG.filter((length) => length > context && length < trained), trained]
}
