// Facts about a model, collected when it is loaded: its templates, and how it writes tool calls and thinking.

import { ChatTemplate } from '../template/chat-template.ts'
import { findFamily } from '../families/families.ts'
import type { Family } from '../families/family.ts'
import { marksOfDialect, type MessageDialect } from '../reply/message-reader.ts'
import type { Native, Token, Vocabulary } from '../native/native.ts'
import { probeToolSyntax } from '../tools/probe-tool-syntax.ts'
import { PromptGuard } from '../template/prompt-guard.ts'
import { probeThinking, type ContentMarks, type ThinkingTraits } from '../template/reasoning.ts'
import type { TemplateTraits } from '../template/template-messages.ts'
import { probeTraits } from '../template/template-traits.ts'
import { createTokenBytes, type TokenBytes } from '../native/token-bytes.ts'
import { GENERAL_SYNTAX, beginsOf, type ToolSyntax } from '../../formats/tool-syntax.ts'

export interface ModelProfile {
  bytes: TokenBytes
  guard: PromptGuard
  chat: TemplateProfile
  /** The template for requests with tools; often the same one. */
  tools: TemplateProfile & { syntax: ToolSyntax; isGeneral: boolean }
  thinking: ThinkingTraits
  content: ContentMarks | undefined
  /** Set if a reply consists of messages. */
  dialect: MessageDialect | undefined
  /** Control tokens that don't end a reply. A grammar would take them for plain text. */
  controls: readonly { token: Token; text: string }[]
}

export interface TemplateProfile {
  template: ChatTemplate
  traits: TemplateTraits
}

export function studyModel(native: Native, templates = native.templates): ModelProfile {
  const { special, controls, ends } = listTokens(native.vocabulary)
  const chat = studyTemplate(native, templates.chat)
  const forTools = templates.tools === undefined ? chat : studyTemplate(native, templates.tools)
  const family = findFamily(chat.template.source)
  const { dialect } = family ?? {}
  const thinking =
    dialect === undefined
      ? probeThinking(chat.template, special, family?.thinking)
      : { takesEffort: true, opensItself: false }
  const own = dialect?.syntax ?? ownSyntax(forTools, thinking, special, ends)
  return {
    bytes: createTokenBytes(native.vocabulary),
    guard: new PromptGuard(native.vocabulary),
    chat,
    tools: { ...forTools, syntax: own ?? GENERAL_SYNTAX, isGeneral: own === undefined },
    thinking,
    content: family?.content,
    dialect,
    controls,
  }
}

function studyTemplate(native: Native, source: string | undefined): TemplateProfile {
  const template = new ChatTemplate(native, source)
  return { template, traits: probeTraits(template) }
}

/** Undefined if a template can't express calls and results. */
function ownSyntax(
  profile: TemplateProfile,
  thinking: ThinkingTraits,
  specialTexts: string[],
  endTexts: string[],
): ToolSyntax | undefined {
  const { hasTools, hasCalls, hasToolResults } = profile.traits
  const family: Partial<Family> = findFamily(profile.template.source) ?? {}
  if (!hasToolResults || !(hasTools || hasCalls)) return undefined
  if (family.tools !== undefined) return family.tools
  const thinkingEnd = thinking.tags === undefined ? {} : { thinkingEnd: thinking.tags.end }
  const learned = probeToolSyntax({ ...profile, specialTexts, endTexts, ...thinkingEnd })
  return learned === undefined ? undefined : (family.adapt?.(learned) ?? learned)
}

function listTokens(vocabulary: Vocabulary) {
  const [special, ends]: [string[], string[]] = [[], []]
  const controls: { token: Token; text: string }[] = []
  for (let token = 0; token < vocabulary.size; token++) {
    const kind = vocabulary.kind(token)
    if (kind !== 'control' && kind !== 'user-defined') continue
    const text = vocabulary.text(token)
    special.push(text)
    if (vocabulary.isEnd(token)) ends.push(text)
    else if (kind === 'control') controls.push({ token, text })
  }
  return { special, controls, ends }
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
