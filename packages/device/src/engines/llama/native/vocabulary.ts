// The tokens of a model.

import type { LlamaModel } from 'node-llama-cpp'

export type Token = number

export interface Vocabulary {
  readonly size: number
  readonly bos: { token: Token; text: string } | undefined
  readonly eosText: string
  readonly addsBos: boolean
  /** 'spaced' writes spaces as U+2581 and bytes as <0xNN>; 'byte-level' maps each byte to a printable character. */
  readonly encoding: 'byte-level' | 'spaced'
  /** Whether it takes a text as it is: unigram and word piece vocabularies normalize it first. */
  readonly keepsText: boolean
  /** With `special`, the name of a control token becomes that token. */
  tokenize(text: string, special: boolean): Token[]
  /** The token as the model file has it. */
  text(token: Token): string
  kind(token: Token): TokenKind
  /** Whether the token ends a reply. */
  isEnd(token: Token): boolean
  /** Whether white space beside the token is left out. */
  strips(token: Token): boolean
}

type TokenKind = 'text' | 'control' | 'user-defined' | 'byte' | 'unknown'

/** The part of the native model that knows its tokens. */
export interface NativeModel {
  tokenize(text: string, special: boolean): Uint32Array
  getTokenString(token: Token): string
  getTokenAttributes(token: Token): number
  isEogToken(token: Token): boolean
}

// Bit flags of llama.cpp's token attributes.
const UNKNOWN = 1 << 0
const BYTE = 1 << 5
const CONTROL = 1 << 3
const USER_DEFINED = 1 << 4
const STRIPS = (1 << 7) | (1 << 8)

export function readVocabulary(model: LlamaModel, native: NativeModel): Vocabulary {
  const { bos, bosString, eosString, shouldPrependBosToken } = model.tokens
  return {
    size: countTokens(model),
    bos: bos === null ? undefined : { token: bos, text: bosString ?? '' },
    eosText: eosString ?? '',
    addsBos: shouldPrependBosToken,
    encoding: readEncoding(model),
    keepsText: ['spm', 'bpe'].includes(model.vocabularyType),
    tokenize: (text, special) => Array.from(native.tokenize(text, special)),
    text: (token) => native.getTokenString(token) ?? '',
    kind: (token) => toKind(native.getTokenAttributes(token)),
    isEnd: (token) => native.isEogToken(token),
    strips: (token) => (native.getTokenAttributes(token) & STRIPS) !== 0,
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
