// The place that knows node-llama-cpp's internals. Its public interface loads libraries, models and grammars; evaluating batches,
// sampling and copying sequences exist only on native objects without any version guarantee. So the version is pinned, each of those
// objects is checked here before use, and the rest of the engine sees only the types in this file.

import type { Llama, LlamaContext, LlamaGrammar, LlamaModel } from 'node-llama-cpp'
import { EngineError } from '../../engine.ts'
import { findCheckpoints, type CheckpointBindings, type NativeCheckpoints } from './native-checkpoints.ts'

export type Token = number

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
  /** A copy for a draw of the library that compares all tokens: the draw advances it. */
  forDraw(state: GrammarState): GrammarState
  /** Whether a token doesn't fit that such a draw could take. Undefined if there are none. */
  vetoes?(state: GrammarState, token: Token): boolean
  /** Advances a state by a token that was not sampled with it. Throws if the token doesn't fit. */
  accept(state: GrammarState, token: Token): void
  /** Whether the token can come next. */
  allows(state: GrammarState, token: Token): boolean
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
  readonly templates: { chat: string | undefined; tools: string | undefined }
  createSampler(): NativeSampler
  /** Throws if the text is not a valid grammar. */
  compileGrammar(text: string): Promise<Grammar>
  dispose(): Promise<void>
}

export interface Vocabulary {
  readonly size: number
  readonly bos: { token: Token; text: string } | undefined
  readonly eosText: string
  readonly addsBos: boolean
  /** 'spaced' writes spaces as U+2581 and bytes as <0xNN>; 'byte-level' maps each byte to a printable character. */
  readonly encoding: 'byte-level' | 'spaced'
  /** With `special`, the name of a control token becomes that token. */
  tokenize(text: string, special: boolean): Token[]
  /** The token as the model file has it. */
  text(token: Token): string
  kind(token: Token): TokenKind
  /** Whether the token ends a reply. */
  isEnd(token: Token): boolean
}

export type TokenKind = 'text' | 'control' | 'user-defined' | 'byte' | 'unknown'

interface Bindings extends CheckpointBindings {
  AddonSampler: {
    new (model: object): NativeSampler
    acceptGrammarEvaluationStateToken(state: GrammarState, token: Token): void
    canBeNextTokenForGrammarEvaluationState(state: GrammarState, token: Token): boolean
  }
  AddonGrammarEvaluationState: new (...from: [model: object, grammar: object] | [copied: GrammarState]) => GrammarState
}

interface NativeModel {
  tokenize(text: string, special: boolean): Uint32Array
  getTokenString(token: Token): string
  getTokenAttributes(token: Token): number
  isEogToken(token: Token): boolean
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
  return {
    context: inside(context, '_ctx', CONTEXT_METHODS) as NativeContext,
    checkpointing: findCheckpoints(bindings, model, context),
    checkpointRoom,
    vocabulary: readVocabulary(model, nativeModel),
    slots: context.totalSequences,
    contextLength: context.contextSize,
    batchSize: context.batchSize,
    gpu: llama.gpu,
    templates: readTemplates(model),
    createSampler: () => new bindings.AddonSampler(nativeModel),
    compileGrammar: async (text) => {
      const grammar = await llama.createGrammar({ grammar: text })
      // Reading the grammar and making its first state may take a while each. In between, running jobs get a turn.
      await new Promise((resolve) => setImmediate(resolve))
      return toGrammar(bindings, nativeModel, grammar)
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

function toGrammar(bindings: Bindings, model: NativeModel, grammar: LlamaGrammar): Grammar {
  const native = inside(grammar, '_grammar', ['isTextCompatible']) as { isTextCompatible(text: string): boolean }
  // The library reads the grammar again for a new state, but not for a copy.
  const first = new bindings.AddonGrammarEvaluationState(model, native)
  return {
    start: () => new bindings.AddonGrammarEvaluationState(first),
    copy: (state) => new bindings.AddonGrammarEvaluationState(state),
    forDraw: (state) => new bindings.AddonGrammarEvaluationState(state),
    accept: (state, token) => bindings.AddonSampler.acceptGrammarEvaluationStateToken(state, token),
    allows: (state, token) => bindings.AddonSampler.canBeNextTokenForGrammarEvaluationState(state, token),
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

// Bit flags of llama.cpp's token attributes.
const UNKNOWN = 1 << 0
const BYTE = 1 << 5
const CONTROL = 1 << 3
const USER_DEFINED = 1 << 4

function readVocabulary(model: LlamaModel, native: NativeModel): Vocabulary {
  const { bos, bosString, eosString, shouldPrependBosToken } = model.tokens
  return {
    size: countTokens(model),
    bos: bos === null ? undefined : { token: bos, text: bosString ?? '' },
    eosText: eosString ?? '',
    addsBos: shouldPrependBosToken,
    encoding: readEncoding(model),
    tokenize: (text, special) => Array.from(native.tokenize(text, special)),
    text: (token) => native.getTokenString(token) ?? '',
    kind: (token) => toKind(native.getTokenAttributes(token)),
    isEnd: (token) => native.isEogToken(token),
  }
}

function toKind(attributes: number): TokenKind {
  if (attributes & CONTROL) return 'control'
  if (attributes & USER_DEFINED) return 'user-defined'
  if (attributes & BYTE) return 'byte'
  return attributes & UNKNOWN ? 'unknown' : 'text'
}

function countTokens(model: LlamaModel): number {
  let count = 0
  for (const _ of model.iterateAllTokens()) count++
  return count
}

function readEncoding(model: LlamaModel): Vocabulary['encoding'] {
  const type: string = model.vocabularyType
  const family: string = model.fileInfo.metadata.tokenizer?.ggml?.model ?? ''
  return type === 'bpe' && !family.includes('gemma') ? 'byte-level' : 'spaced'
}
