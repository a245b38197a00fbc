// The messages between an engine and the process that renders its chat templates. Each question gets one answer, in order.

import type { TemplateInput } from '../template/chat-template.ts'
import type { GuardFacts } from '../template/prompt-guard.ts'
import type { TextRoom } from '../template/text-room.ts'
import type { TemplateStudy, TokenTexts } from './study-templates.ts'

/** The first message to a process. */
export interface OpenTemplates {
  type: 'open'
  /** The file of llama.cpp's renderer. */
  addon: string
  /** Undefined if the model's file has none. */
  sources: { chat: string | undefined; tools: string | undefined }
  tokens: TokenTexts
  guard: GuardFacts
  /** The model's file, for its vocabulary. */
  model: string
  /** How much of a prompt can fit. */
  room: TextRoom & { tokens: number }
}

/** Which of a model's templates to render. */
export type TemplateKind = 'chat' | 'tools'

export type RenderQuestion =
  | { type: 'study' }
  | { type: 'render'; kind: TemplateKind; input: TemplateInput }
  /** For the tokens of what was rendered just now: a template's limits are not those of its text. */
  | { type: 'tokenize' }

export type RenderAnswer =
  | { type: 'studied'; study: TemplateStudy }
  | { type: 'rendered' }
  | WrittenPrompt
  | { type: 'failed'; failure: 'unreadable' | 'unfitting' | 'output' | 'vocabulary' }

export type WrittenPrompt =
  /** `ending` is the last part of the text, without white space behind it. */
  | { type: 'tokenized'; tokens: Uint32Array; ending: string }
  /** Without a number, it has so many characters that nobody has counted its tokens. */
  | { type: 'too-long'; tokens?: number }

/** The templates are open if the first answer is not a failure. */
export type FromRenderer = { type: 'open' } | RenderAnswer
