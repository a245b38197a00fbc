// Learns from a model's templates how it writes tool calls and thinking: renders them many times.

import { GENERAL_SYNTAX, type ToolSyntax } from '../../formats/tool-syntax.ts'
import { findFamily } from '../families/families.ts'
import type { Family } from '../families/family.ts'
import type { ChatTemplate } from '../template/chat-template.ts'
import { probeThinking, type ThinkingTraits } from '../template/reasoning.ts'
import type { TemplateTraits } from '../template/template-messages.ts'
import { probeTraits } from '../template/template-traits.ts'
import { probeToolSyntax } from '../tools/probe-tool-syntax.ts'

export interface Templates {
  chat: ChatTemplate
  /** For requests with tools; often the same one. */
  tools: ChatTemplate
}

/** Texts of a model's tokens. */
export interface TokenTexts {
  bos: string
  eos: string
  /** Of control and user-defined tokens. */
  special: readonly string[]
  /** Of those among them that end a reply. */
  ends: readonly string[]
}

/** Plain data, because another process learns it. */
export interface TemplateStudy {
  chat: TemplateTraits
  tools: TemplateTraits
  syntax: ToolSyntax
  /** The syntax is not the template's own. */
  isGeneral: boolean
  thinking: ThinkingTraits
}

export function studyTemplates({ chat, tools }: Templates, { special, ends }: TokenTexts): TemplateStudy {
  const traits = probeTraits(chat)
  const toolTraits = tools === chat ? traits : probeTraits(tools)
  const family = findFamily(chat.source)
  const thinking =
    family?.dialect === undefined
      ? probeThinking(chat, special, family?.thinking)
      : { takesEffort: true, opensItself: false }
  const context = { template: tools, traits: toolTraits, specialTexts: special, endTexts: ends }
  const own = family?.dialect?.syntax ?? ownSyntax(context, thinking)
  return { chat: traits, tools: toolTraits, syntax: own ?? GENERAL_SYNTAX, isGeneral: own === undefined, thinking }
}

/** Undefined if a template can't express calls and results. */
function ownSyntax(context: Parameters<typeof probeToolSyntax>[0], thinking: ThinkingTraits): ToolSyntax | undefined {
  const { hasTools, hasCalls, hasToolResults } = context.traits
  const family: Partial<Family> = findFamily(context.template.source) ?? {}
  if (!hasToolResults || !(hasTools || hasCalls)) return undefined
  if (family.tools !== undefined) return family.tools
  const thinkingEnd = thinking.tags === undefined ? {} : { thinkingEnd: thinking.tags.end }
  const learned = probeToolSyntax({ ...context, ...thinkingEnd })
  return learned === undefined ? undefined : (family.adapt?.(learned) ?? learned)
}
