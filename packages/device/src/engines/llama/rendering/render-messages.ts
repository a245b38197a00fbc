// The messages between an engine and the process that renders its chat templates. Each question gets one answer, in order.

import type { TemplateInput } from '../template/chat-template.ts'
import type { TemplateStudy, TokenTexts } from './study-templates.ts'

/** The first message to a process. */
export interface OpenTemplates {
  type: 'open'
  /** The file of llama.cpp's renderer. */
  addon: string
  /** Undefined if the model's file has none. */
  sources: { chat: string | undefined; tools: string | undefined }
  tokens: TokenTexts
}

/** Which of a model's templates to render. */
export type TemplateKind = 'chat' | 'tools'

export type RenderQuestion = { type: 'study' } | { type: 'render'; kind: TemplateKind; input: TemplateInput }

export type RenderAnswer =
  | { type: 'studied'; study: TemplateStudy }
  | { type: 'rendered'; text: string }
  | { type: 'failed'; failure: 'unreadable' | 'unfitting' | 'output' }

/** The templates are open if the first answer is not a failure. */
export type FromRenderer = { type: 'open' } | RenderAnswer
