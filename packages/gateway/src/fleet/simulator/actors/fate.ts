// How an attempt will go: what the device answers, how much it produces, and what goes wrong.

import type { RefuseReason } from '@hearth/protocol'
import type { Ms } from '../../terms/job.ts'
import type { FleetLimits } from '../../roles.ts'
import type { Random } from '../random.ts'

export type Answer = 'accept' | 'refuse' | 'begin unasked' | 'never'
export type Mishap =
  | 'none'
  | 'crash'
  | 'fail'
  | 'fatal'
  | 'stall'
  | 'skip'
  | 'late refusal'
  | 'stop unasked'
  | 'early end'

export interface Fate {
  answer: Answer
  answerMs: Ms
  reason: RefuseReason
  progressFrames: number
  /** How loading the model goes, if the device has to load it. */
  load: 'ready' | 'fails' | 'never'
  mishap: Mishap
  /** At which part of the answer it happens. */
  mishapAt: number
  /** Between two numbers, if it is not always the same for the device. */
  tokenMs?: Ms
  ignoresCancel: boolean
  repeatsItself: boolean
}

/** An attempt without trouble. */
export function goodFate(random: Random): Fate {
  return {
    answer: 'accept',
    answerMs: random.between(1, 60),
    reason: 'busy',
    progressFrames: 0,
    load: 'ready',
    mishap: 'none',
    mishapAt: 0,
    ignoresCancel: false,
    repeatsItself: false,
  }
}

const REFUSALS: readonly RefuseReason[] = [
  'busy',
  'busy',
  'not-loaded',
  'draining',
  'unsupported',
  'wrong-organization',
]
const MISHAPS: readonly Mishap[] = [
  'crash',
  'fail',
  'fatal',
  'stall',
  'skip',
  'late refusal',
  'stop unasked',
  'early end',
]

export function anyFate(random: Random, { acceptMs, hedgeMs }: FleetLimits): Fate {
  const fate = goodFate(random)
  const luck = random.fraction()
  if (luck < 0.05) fate.answer = 'refuse'
  else if (luck < 0.06) fate.answer = 'never'
  else if (luck < 0.08) fate.answer = 'begin unasked'
  else if (luck < 0.09) fate.answerMs = acceptMs + random.between(-20, 200)
  else if (luck < 0.12) fate.answerMs = hedgeMs + random.between(-20, 200)
  fate.reason = random.pick(REFUSALS)
  fate.progressFrames = random.chance(0.1) ? random.between(1, 12) : 0
  const loadLuck = random.fraction()
  if (loadLuck < 0.15) fate.load = loadLuck < 0.05 ? 'never' : 'fails'
  fate.ignoresCancel = random.chance(0.05)
  fate.repeatsItself = random.chance(0.05)
  if (random.chance(0.15)) fate.mishap = random.pick(MISHAPS)
  fate.mishapAt = random.chance(0.4) ? 0 : random.fraction()
  return fate
}

/** Nothing that takes longer than seconds: with several gateways, a job that reaches one of the long limits has hung. */
export function shortFate(random: Random, isGood: boolean): Fate {
  const fate = goodFate(random)
  fate.tokenMs = random.pick([2, 10, 30, 120])
  fate.mishapAt = 0.5
  const luck = isGood ? 1 : random.fraction()
  if (luck < 0.04) fate.answer = 'refuse'
  else if (luck < 0.08) fate.mishap = 'fail'
  else if (luck < 0.12) fate.mishap = 'skip'
  fate.repeatsItself = luck > 0.12 && luck < 0.16
  return fate
}
