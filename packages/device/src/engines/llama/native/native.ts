// The place that knows node-llama-cpp's internals. Its public interface loads libraries, models and grammars; evaluating batches,
// sampling and copying sequences exist only on native objects without any version guarantee. So the version is pinned, each of those
// objects is checked here before use, and the rest of the engine sees only the types in this file.

import type { Llama, LlamaContext, LlamaGrammar, LlamaModel } from 'node-llama-cpp'
import { EngineError } from '../../engine.ts'
import { ONE_BY_ONE, type ExactSizes } from './exact-sizes.ts'
import { FollowedGrammar, type FollowedPosition } from './followed-grammar.ts'
import { findCheckpoints, type CheckpointBindings, type NativeCheckpoints } from './native-checkpoints.ts'
import { readVocabulary, type NativeModel, type Token, type Vocabulary } from './vocabulary.ts'

export type { Token, Vocabulary }

/** Evaluates batches. Not reentrant: call nothing while a decode runs. */
export interface NativeContext {
  initBatch(size: number): void
  /** Returns the places of the wanted distributions; `wanted` are indexes into `tokens`. */
  addToBatch(slot: number, firstPosition: number, tokens: Uint32Array, wanted: Uint32Array): Uint32Array
  decodeBatch(): Promise<void>
  /** -1 if there is nothing to sample from. */
  sampleToken(at: number, sampler: NativeSampler): Promise<Token>
  /**
   * Also returns logits: of `only` these tokens and the sampled one, or (true) of all that the sampler's chain kept, sorted; and the weight
   * of all that it kept, where the likeliest weighs 1.
   */
  sampleToken(
    at: number,
    sampler: NativeSampler,
    probabilities: false,
    confidence: false,
    logits: boolean | [only: readonly Token[], max: false, min: false, sampled: true, top: 0],
    weight: boolean,
  ): Promise<[Token, undefined, undefined, number[], number | undefined]>
  /** False if this kind of model can't remove a part; then dispose the whole slot. An unknown slot aborts the process. */
  removeTokenCellsFromSequence(slot: number, from: number, to: number): boolean
  disposeSequence(slot: number): void
  /** Pending until the next decode carries it out. */
  copySequenceStateFromOtherSequence(target: number, source: number): Promise<number>
}

export interface NativeSampler {
  applyConfig(config: SamplerConfig): void
  dispose(): void
}

export interface SamplerConfig {
  temperature: number
  topP?: number
  topK?: number
  /** Keeps only tokens at least this likely, relative to the likeliest; before the temperature is applied, unlike `topP` without sorting. */
  minP?: number
  seed?: number
  repeatPenalty?: number
  repeatPenaltyMaxTokens?: number
  repeatPenaltyTokens?: Uint32Array
  repeatPenaltyPresencePenalty?: number
  repeatPenaltyFrequencyPenalty?: number
  tokenBiasKeys?: Uint32Array
  tokenBiasValues?: Float32Array
  grammarEvaluationState?: GrammarState
}

/** The progress of one text through a grammar. */
export type GrammarState = object & { readonly brand?: 'grammar state' }

export interface Grammar {
  start(): GrammarState
  copy(state: GrammarState): GrammarState
  /** A copy for a draw that compares all tokens: the library advances the state that it gets. */
  forDraw(state: GrammarState): GrammarState
  /** Whether a token doesn't fit that such a draw could take. Undefined if there are none. */
  vetoes?(state: GrammarState, token: Token): boolean
  /** Advances a state by a token that was not sampled with it. Throws if the token doesn't fit. */
  accept(state: GrammarState, token: Token): void
  /** Whether the token can come next. */
  allows(state: GrammarState, token: Token): boolean
  /** All tokens that can come next; undefined if there are many, or if it isn't known. */
  few(state: GrammarState): readonly Token[] | undefined
  /** All tokens that can't come next; undefined if it isn't known. Takes a while at each new place of the grammar. */
  misfits(state: GrammarState): Uint32Array | undefined
  /** Whether the grammar allows exactly this text. */
  matches(text: string): boolean
}

export interface Native {
  readonly context: NativeContext
  /** Set if a slot can't forget its last tokens: a hybrid or recurrent model, or a sliding window without the whole cache. */
  readonly checkpointing: NativeCheckpoints | undefined
  /** The memory that was planned for checkpoints of all slots together. */
  readonly checkpointRoom: number
  readonly vocabulary: Vocabulary
  readonly slots: number
  /** Tokens per slot. */
  readonly contextLength: number
  /** The maximum number of tokens per decode. */
  readonly batchSize: number
  readonly gpu: string | false
  readonly threads: number
  /** Measured on a CPU. On a GPU, the order of additions depends on every batch. */
  exactSizes: ExactSizes
  readonly templates: { chat: string | undefined; tools: string | undefined }
  createSampler(): NativeSampler
  /** Throws if the text is not a valid grammar. */
  compileGrammar(text: string): Promise<Grammar>
  dispose(): Promise<void>
}

interface Bindings extends CheckpointBindings {
  AddonSampler: {
    new (model: object): NativeSampler
    acceptGrammarEvaluationStateToken(state: GrammarState, token: Token): void
    canBeNextTokenForGrammarEvaluationState(state: GrammarState, token: Token): boolean
  }
  AddonGrammarEvaluationState: new (...from: [model: object, grammar: object] | [copied: GrammarState]) => GrammarState
}

const CONTEXT_METHODS = [
  'initBatch',
  'addToBatch',
  'decodeBatch',
  'sampleToken',
  'removeTokenCellsFromSequence',
  'disposeSequence',
  'copySequenceStateFromOtherSequence',
  'restoreCheckpoint',
  'getSequenceKvCacheMinPosition',
]
const BINDINGS = ['AddonGrammarEvaluationState', 'AddonJinjaRenderer', 'AddonContextSequenceCheckpoint']
const GRAMMAR_METHODS = ['acceptGrammarEvaluationStateToken', 'canBeNextTokenForGrammarEvaluationState']
const MODEL_METHODS = ['tokenize', 'getTokenString', 'getTokenAttributes', 'isEogToken']

/** Wraps a model that the library has loaded. */
export function toNative(llama: Llama, model: LlamaModel, context: LlamaContext, checkpointRoom: number): Native {
  const bindings = inside(llama, '_bindings', []) as Bindings
  inside(bindings, 'AddonSampler', GRAMMAR_METHODS)
  for (const name of BINDINGS) inside(bindings, name, [])
  const nativeModel = inside(model, '_model', MODEL_METHODS) as NativeModel
  const vocabulary = readVocabulary(model, nativeModel)
  return {
    context: inside(context, '_ctx', CONTEXT_METHODS) as NativeContext,
    checkpointing: findCheckpoints(bindings, model, context),
    checkpointRoom,
    vocabulary,
    slots: context.totalSequences,
    contextLength: context.contextSize,
    batchSize: context.batchSize,
    gpu: llama.gpu,
    threads: llama.maxThreads,
    exactSizes: ONE_BY_ONE,
    templates: readTemplates(model),
    createSampler: () => new bindings.AddonSampler(nativeModel),
    compileGrammar: async (text) => {
      const grammar = await llama.createGrammar({ grammar: text })
      // Reading the grammar and making its first state may take a while each. In between, running jobs get a turn.
      await new Promise((resolve) => setImmediate(resolve))
      return toGrammar(bindings, nativeModel, grammar, new FollowedGrammar(text, vocabulary))
    },
    async dispose() {
      await context.dispose()
      await model.dispose()
    },
  }
}

function inside(owner: object, name: string, methods: readonly string[]): object {
  const value: unknown = Reflect.get(owner, name)
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) throw changed(name)
  for (const method of methods) if (typeof Reflect.get(value, method) !== 'function') throw changed(`${name}.${method}`)
  return value
}

function changed(name: string): EngineError {
  return new EngineError(
    'failed',
    `Can't use the installed node-llama-cpp: its "${name}" is missing; install the version that this app requires`,
  )
}

function toGrammar(bindings: Bindings, model: NativeModel, grammar: LlamaGrammar, followed: FollowedGrammar): Grammar {
  const native = inside(grammar, '_grammar', ['isTextCompatible']) as { isTextCompatible(text: string): boolean }
  // The library reads the grammar again for a new state, but not for a copy.
  const first = new bindings.AddonGrammarEvaluationState(model, native)
  const positions = new WeakMap<GrammarState, FollowedPosition>([[first, followed.start()]])
  /** Whoever had too much to do once would have it again and again. */
  const overtaxed = new WeakSet<GrammarState>()
  const copy = (state: GrammarState): GrammarState => {
    const copied = new bindings.AddonGrammarEvaluationState(state)
    positions.set(copied, positions.get(state))
    if (overtaxed.has(state)) overtaxed.add(copied)
    return copied
  }
  return {
    start: () => copy(first),
    copy,
    forDraw: copy,
    accept: (state, token) => {
      bindings.AddonSampler.acceptGrammarEvaluationStateToken(state, token)
      positions.set(state, followed.after(positions.get(state), token))
    },
    allows: (state, token) => bindings.AddonSampler.canBeNextTokenForGrammarEvaluationState(state, token),
    few: (state) => followed.few(positions.get(state)),
    misfits: (state) => {
      const found = overtaxed.has(state) ? undefined : followed.misfits(positions.get(state))
      if (found === undefined) overtaxed.add(state)
      return found
    },
    matches: (text) => native.isTextCompatible(text),
  }
}

function readTemplates(model: LlamaModel): Native['templates'] {
  const tokenizer: unknown = model.fileInfo.metadata.tokenizer
  const text = (name: string): string | undefined => {
    const value: unknown =
      typeof tokenizer === 'object' && tokenizer !== null ? Reflect.get(tokenizer, name) : undefined
    return typeof value === 'string' && value.trim() !== '' ? value : undefined
  }
  return { chat: text('chat_template'), tools: text('chat_template.tool_use') }
}
