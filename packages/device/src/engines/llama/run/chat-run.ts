// One job on one model: its prompt, constraints and choices, from the request to the last event.

import type { ChatEvent, Usage, ChatJob } from '@hearth/protocol'
import { EngineError, type EngineJob, type EngineProgress } from '../../engine.ts'
import type { BatchLoop } from '../decode/batch-loop.ts'
import { Choice, type ChoiceEvent } from './choice.ts'
import { prepareConstraints, type Constraints, type GrammarCache } from './constraints.ts'
import type { ModelProfile } from './model-profile.ts'
import type { Native } from '../native/native.ts'
import { buildPrompt, type Prompt } from './prompt.ts'

export interface ModelParts {
  native: Native
  profile: ModelProfile
  loop: BatchLoop
  grammars: GrammarCache
}

export interface RunSink {
  event(event: ChatEvent): void
  progress(progress: EngineProgress): void
  /** Called once, after everything else; the slots are free again. */
  end(error: EngineError | undefined): void
}

/** Thinking is reported once per this many tokens. */
const THINKING_STEP = 16

export class ChatRun {
  readonly #ready: ModelParts | Promise<ModelParts>
  readonly #job: EngineJob
  readonly #sink: RunSink
  #loop: BatchLoop | undefined
  #choices: readonly Choice[] = []
  #open = 0
  #cached = { reused: 0, own: 0 }
  #isCancelled = false
  #isPaused = false
  #error: EngineError | undefined

  /** `ready` rejects with EngineError if the model can't be asked. */
  constructor(ready: ModelParts | Promise<ModelParts>, job: EngineJob, sink: RunSink) {
    this.#ready = ready
    this.#job = job
    this.#sink = sink
  }

  async start(): Promise<void> {
    try {
      const parts = await this.#ready
      const { profile, native, grammars, loop } = parts
      this.#loop = loop
      checkBias(this.#job, native.vocabulary.size)
      const prompt = await buildPrompt(this.#job, profile)
      const constraints = await prepareConstraints(this.#job, prompt, profile.dialect, grammars)
      this.#choices = this.#createChoices(parts, prompt, constraints)
    } catch (error) {
      return this.#sink.end(toEngineError(error))
    }
    await this.#begin()
  }

  cancel(): void {
    this.#isCancelled = true
    for (const choice of this.#choices) this.#loop?.cancel(choice)
  }

  pause(isPaused: boolean): void {
    this.#isPaused = isPaused
    for (const choice of this.#choices) this.#loop?.pause(choice, isPaused)
  }

  #createChoices({ native, profile }: ModelParts, prompt: Prompt, constraints: Constraints): Choice[] {
    const world = {
      native,
      profile,
      job: this.#job,
      prompt,
      constraints,
      emit: (event: ChoiceEvent) => this.#sink.event(event),
      onThinking: (tokens: number) => {
        if (tokens % THINKING_STEP === 1) this.#sink.progress({ phase: 'reasoning', done: tokens })
      },
      onEnd: (error: unknown) => this.#onChoiceEnd(error),
    }
    const total = prompt.tokens.length
    const report = {
      // Tokens of the reply that were evaluated together with the prompt don't count.
      onStart: (reused: number, own: number) => {
        this.#cached = { reused: Math.min(reused, total), own: Math.min(own, total) }
      },
      onPrompt: (done: number) => this.#sink.progress({ phase: 'prompt', done: Math.min(done, total), total }),
    }
    const silent = { onStart: () => undefined, onPrompt: () => undefined }
    const first = new Choice(0, { ...world, ...report })
    const others = Array.from(
      { length: (this.#job.n ?? 1) - 1 },
      (_, index) => new Choice(index + 1, { ...world, ...silent }, first),
    )
    return [first, ...others]
  }

  /** A choice that another device began may turn out to be finished, or impossible to continue. */
  async #begin(): Promise<void> {
    this.#open = this.#choices.length
    this.#sink.progress({ phase: 'queued' })
    for (const choice of this.#choices) {
      const failure: unknown = await choice.replay().catch((error: unknown) => error)
      if (failure !== undefined || choice.finish !== undefined || this.#isCancelled) choice.onEnd(failure)
      else this.#loop?.submit(choice)
    }
    if (this.#isPaused) this.pause(true)
  }

  #onChoiceEnd(error: unknown): void {
    this.#open--
    if (error !== undefined && this.#error === undefined) {
      this.#error = toEngineError(error)
      this.cancel()
    }
    if (this.#open > 0) return
    if (this.#error === undefined && !this.#isCancelled) this.#sink.event(this.#lastEvent())
    this.#sink.end(this.#error)
  }

  #lastEvent(): ChatEvent {
    const [first] = this.#choices as [Choice]
    const usage: Usage = {
      promptTokens: first.promptTokens,
      completionTokens: first.completionTokens,
      ...this.#cachedTokens(),
      ...(first.thinkingTokens === 0 ? {} : { reasoningTokens: first.thinkingTokens }),
    }
    return { type: 'end', finishes: this.#choices.map(({ finish }) => finish ?? 'stop'), usage }
  }

  /** With a scope, nothing is reported about the prompts of others. */
  #cachedTokens(): Pick<Usage, 'cachedTokens' | 'ownCachedTokens'> {
    const { reused, own } = this.#cached
    return this.#job.prefixScope === undefined ? { cachedTokens: reused } : { ownCachedTokens: own }
  }
}

/** Hides the messages of other errors: the library may quote the request. */
function toEngineError(error: unknown): EngineError {
  if (error instanceof EngineError) return error
  return new EngineError('failed', 'The engine failed to run this job', { retryable: true, cause: error })
}

/** Throws EngineError if the job biases a token beyond the vocabulary: the IDs are probably those of another model. */
function checkBias({ logitBias = {} }: ChatJob, vocabularySize: number): void {
  const unknown = Object.keys(logitBias).find((id) => Number(id) >= vocabularySize)
  if (unknown === undefined) return
  const message = `Invalid key in 'logit_bias': ${unknown}. The token IDs of this model go from 0 to ${vocabularySize - 1}.`
  throw new EngineError('invalid_value', message, { param: 'logit_bias' })
}
