// Facts about a model, collected when it is loaded: how its templates are rendered, and how it writes tool calls and thinking.

import { beginsOf, type ToolSyntax } from '../../formats/tool-syntax.ts'
import type { Family } from '../families/family.ts'
import type { Native, Token, Vocabulary } from '../native/native.ts'
import { createTokenBytes, type TokenBytes } from '../native/token-bytes.ts'
import type { TemplateKind, WrittenPrompt } from '../rendering/render-messages.ts'
import type { TemplateStudy, TokenTexts } from '../rendering/study-templates.ts'
import { marksOfDialect, type MessageDialect } from '../reply/message-reader.ts'
import type { TemplateInput } from '../template/chat-template.ts'
import type { ContentMarks, ThinkingTraits } from '../template/reasoning.ts'
import type { TemplateTraits } from '../template/template-messages.ts'

/** Throws EngineError if the template can't express the messages, or takes too much. */
export type RenderTemplate = (kind: TemplateKind, input: TemplateInput) => Promise<WrittenPrompt>

export interface ModelProfile {
  contextLength: number
  bytes: TokenBytes
  render: RenderTemplate
  chat: { traits: TemplateTraits }
  /** For requests with tools, which often have the same template. */
  tools: { traits: TemplateTraits; syntax: ToolSyntax; isGeneral: boolean }
  thinking: ThinkingTraits
  content: ContentMarks | undefined
  /** Set if a reply consists of messages. */
  dialect: MessageDialect | undefined
  /** Control tokens that don't end a reply. A grammar would take them for plain text. */
  controls: readonly { token: Token; text: string }[]
}

export function toProfile(
  { vocabulary, contextLength }: Pick<Native, 'vocabulary' | 'contextLength'>,
  family: Family | undefined,
  study: TemplateStudy,
  render: RenderTemplate,
): ModelProfile {
  return {
    contextLength,
    bytes: createTokenBytes(vocabulary),
    render,
    chat: { traits: study.chat },
    tools: { traits: study.tools, syntax: study.syntax, isGeneral: study.isGeneral },
    thinking: study.thinking,
    content: family?.content,
    dialect: family?.dialect,
    controls: listControls(vocabulary),
  }
}

export function readTokenTexts(vocabulary: Vocabulary): TokenTexts {
  const special = namedTokens(vocabulary)
  return {
    bos: vocabulary.bos?.text ?? '',
    eos: vocabulary.eosText,
    special: special.map(({ text }) => text),
    ends: special.filter(({ token }) => vocabulary.isEnd(token)).map(({ text }) => text),
  }
}

function listControls(vocabulary: Vocabulary): ModelProfile['controls'] {
  return namedTokens(vocabulary).filter(({ token }) => vocabulary.kind(token) === 'control' && !vocabulary.isEnd(token))
}

function namedTokens(vocabulary: Vocabulary): { token: Token; text: string }[] {
  const named: { token: Token; text: string }[] = []
  for (let token = 0; token < vocabulary.size; token++) {
    const kind = vocabulary.kind(token)
    if (kind === 'control' || kind === 'user-defined') named.push({ token, text: vocabulary.text(token) })
  }
  return named
}

/** Texts that every grammar has to leave possible. */
export function marksOf(profile: ModelProfile, syntax: ToolSyntax | undefined): string {
  const { begin = '', end = '', alsoEnds = [] } = profile.thinking.tags ?? {}
  const { before = [], around = [] } = profile.content ?? {}
  const { tags } = syntax ?? {}
  const wording = [
    ...(syntax === undefined ? [] : [...beginsOf(syntax), syntax.middle, syntax.between ?? [], syntax.end]),
    tags?.otherOpen ?? [],
  ].flat()
  return [
    begin,
    end,
    ...alsoEnds,
    ...before,
    ...around,
    ...(profile.dialect === undefined ? [] : marksOfDialect(profile.dialect)),
    ...(tags === undefined ? [] : [tags.keyOpen, tags.assign, tags.valueClose, tags.stringOpen, tags.stringClose]),
    ...wording.filter((part) => typeof part === 'string'),
  ].join('\n')
}
