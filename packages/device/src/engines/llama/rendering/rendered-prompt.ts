// A conversation on its way to tokens: guarded, rendered, and then, if it can fit, tokenized.

import type { ChatTemplate, TemplateInput } from '../template/chat-template.ts'
import type { PromptGuard, Tokenize } from '../template/prompt-guard.ts'
import { isLongerThan } from '../template/text-room.ts'
import type { OpenTemplates, WrittenPrompt } from './render-messages.ts'

/** Longer than everything that a template writes at the beginning of a reply. */
const ENDING_CHARACTERS = 1_000

export class RenderedPrompt {
  readonly text: string
  readonly #tokenize: (tokenize: Tokenize) => Uint32Array

  /** Throws EngineError if the template can't express the messages. */
  constructor(template: ChatTemplate, guard: PromptGuard, { messages, tools = [], ...rest }: TemplateInput) {
    const guarded = guard.guard({ messages, tools })
    this.text = template.render({ ...rest, ...guarded.value })
    this.#tokenize = (tokenize) => guarded.tokenize(this.text, tokenize)
  }

  tokenize(tokenize: Tokenize, room: OpenTemplates['room']): WrittenPrompt {
    const { text } = this
    if (text.length > room.length || isLongerThan([text], room.characters)) return { type: 'too-long' }
    const tokens = this.#tokenize(tokenize)
    if (tokens.length >= room.tokens) return { type: 'too-long', tokens: tokens.length }
    return { type: 'tokenized', tokens, ending: text.trimEnd().slice(-ENDING_CHARACTERS) }
  }
}
