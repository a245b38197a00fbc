// The tests that every engine has to pass, whatever runs behind it. They use nothing but the Engine interface and questions that any model
// can reply to, and never expect particular words, only the shape of a reply.

import type { ChatJob, Feature } from '@hearth/protocol'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { itRepliesWithJson, itFollowsSchemas } from './contract/formats.contract.ts'
import type { Harness } from './testing/harness.ts'
import { itGivesChoices, itReplies } from './contract/replies.contract.ts'
import { itAnnounces, itRuns, itStops } from './contract/running.contract.ts'
import { itDraws, itTakesBiases, itTellsProbabilities, type KnownTokens } from './contract/sampling.contract.ts'
import { itCallsTools, itTakesTools, type ToolQuestion } from './contract/tools.contract.ts'
import { itResumes } from './contract/resuming.contract.ts'
import type { Engine } from './engine.ts'
import { askEngine } from './testing/collect-reply.ts'

export interface ContractOptions {
  model: string
  /** Exactly the features that the engine has to announce; each is tested. */
  features: readonly Feature[]
  /**
   * Unless false, a request gets the same reply each time at temperature 0, whatever ran before or runs at the same time. On a GPU, near ties
   * fall differently then, so a reply is compared with nothing but itself and its own probabilities.
   */
  isSteady?: boolean
  /** A question that the model replies to with more than twenty tokens. */
  longQuestion: string
  tokens?: KnownTokens
  toolQuestion?: ToolQuestion
}

/** On a GPU, the driver may compile the kernels for its card first. */
const START_MS = 240_000

export function describeEngine(name: string, create: () => Engine, options: ContractOptions): void {
  describe(`engine: ${name}`, () => {
    let engine: Engine
    const job = (rest: Partial<ChatJob> = {}): ChatJob => ({
      model: options.model,
      messages: [{ role: 'user', content: options.longQuestion }],
      temperature: 0,
      maxTokens: 24,
      ...rest,
    })

    beforeAll(async () => {
      engine = create()
      expect(engine.models()).toEqual([])
      await engine.start(AbortSignal.timeout(START_MS))
    })
    afterAll(() => engine.stop())

    const { model, features, isSteady = true } = options
    const ask = (rest?: Partial<ChatJob>) => askEngine(engine, job(rest))
    describeAll({ create, engine: () => engine, model, features, isSteady, job, ask }, options)
  })
}

function describeAll(harness: Harness, { features, tokens, toolQuestion }: ContractOptions): void {
  const has = (feature: Feature) => features.includes(feature)
  itAnnounces(harness)
  itDraws(harness)
  itReplies(harness)
  itRuns(harness)
  if (has('n')) itGivesChoices(harness)
  if (has('logprobs')) itTellsProbabilities(harness)
  if (has('logit_bias') && tokens !== undefined) itTakesBiases(harness, tokens)
  if (has('json_object')) itRepliesWithJson(harness)
  if (has('json_schema')) itFollowsSchemas(harness)
  if (has('tools')) itTakesTools(harness)
  if (has('tools') && toolQuestion !== undefined) itCallsTools(harness, toolQuestion)
  if (has('resume')) itResumes(harness)
  itStops(harness)
}
