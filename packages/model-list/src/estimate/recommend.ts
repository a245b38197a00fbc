// The two models to begin with on a machine: the best one that is fast enough to talk to, and one that answers at once.

import { estimate } from './estimate.ts'
import type { Speed } from './expected-speed.ts'
import { usualContext } from './fit.ts'
import type { MachineFacts } from './machine-facts.ts'
import { qualityOf, type ModelFacts } from './model-facts.ts'

export interface Recommendation<Model> {
  recommended?: Model
  /** Absent if none is clearly faster than the recommended one. */
  fast?: Model
}

/** About as fast as people read. */
const PLEASANT = 8
/** Slower models make people wait. */
const LEAST = 5
const FAST = 25
/** Times as fast as the recommended model: with less, the choice isn't worth it. */
const CLEARLY_FASTER = 1.5

interface Candidate<Model> {
  model: Model
  tokensPerSecond: number
  firstTokenMs: number
  quality: number
}

/** Nobody wants to wait for such answers. Judged by the number that people read. */
export function isSlow({ tokensPerSecond }: Speed): boolean {
  return Math.round(tokensPerSecond) < LEAST
}

/** The machine itself, without the memory that happens to be free: a recommendation is the same whenever and wherever it is made. */
export function ofItself(machine: MachineFacts): MachineFacts {
  return { ...machine, roomBytes: undefined }
}

export function recommend<Model extends ModelFacts>(
  machine: MachineFacts,
  models: readonly Model[],
): Recommendation<Model> {
  const all = models.flatMap((model) => candidateOf(ofItself(machine), model))
  const best = bestOf(all, PLEASANT) ?? bestOf(all, LEAST)
  if (best === undefined) return {}
  const faster = all.filter((one) => isClearlyFaster(one, best))
  const fast = bestOf(faster, FAST) ?? fastestOf(faster)
  return { recommended: best.model, ...(fast && { fast: fast.model }) }
}

function candidateOf<Model extends ModelFacts>(machine: MachineFacts, model: Model): Candidate<Model>[] {
  const { fit, speed } = estimate(machine, model)
  if (model.isAllRounder !== true || speed === undefined || fit.grade === 'too-large') return []
  if (fit.contextTokens < usualContext(model) || isSlow(speed)) return []
  return [{ model, ...speed, quality: qualityOf(model) }]
}

function isClearlyFaster(one: Candidate<unknown>, other: Candidate<unknown>): boolean {
  return one.tokensPerSecond >= CLEARLY_FASTER * other.tokensPerSecond && one.firstTokenMs <= other.firstTokenMs
}

function bestOf<Model>(all: readonly Candidate<Model>[], least: number): Candidate<Model> | undefined {
  const enough = all.filter(({ tokensPerSecond }) => tokensPerSecond >= least)
  return enough.toSorted((one, other) => other.quality - one.quality)[0]
}

function fastestOf<Model>(all: readonly Candidate<Model>[]): Candidate<Model> | undefined {
  return all.toSorted((one, other) => other.tokensPerSecond - one.tokensPerSecond)[0]
}
