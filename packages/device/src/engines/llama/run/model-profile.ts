// Facts about a model, collected when it is loaded: its templates, and how it writes tool calls and thinking.

import { ChatTemplate } from '../template/chat-template.ts'
import { HARMONY_MARKS, HARMONY_SYNTAX, isHarmony } from '../reply/harmony.ts'
import type { Native, Token, Vocabulary } from '../native/native.ts'
import { probeToolSyntax } from '../tools/probe-tool-syntax.ts'
import { PromptGuard } from '../template/prompt-guard.ts'
import { probeThinking, type ThinkingTraits } from '../template/reasoning.ts'
import type { TemplateTraits } from '../template/template-messages.ts'
import { probeTraits } from '../template/template-traits.ts'
import { createTokenBytes, type TokenBytes } from '../native/token-bytes.ts'
import { GENERAL_SYNTAX, type ToolSyntax } from '../tools/tool-syntax.ts'

export interface ModelProfile {
  bytes: TokenBytes
  guard: PromptGuard
  chat: TemplateProfile
  /** The template for requests with tools; often the same one. */
  tools: TemplateProfile & { syntax: ToolSyntax; isGeneral: boolean }
  thinking: ThinkingTraits
  isHarmony: boolean
  /** Control tokens that don't end a reply. A grammar would take them for plain text. */
  controls: readonly { token: Token; text: string }[]
}

export interface TemplateProfile {
  template: ChatTemplate
  traits: TemplateTraits
}

export function studyModel(native: Native): ModelProfile {
  const { special, controls, ends } = listTokens(native.vocabulary)
  const chat = studyTemplate(native, native.templates.chat)
  const forTools = native.templates.tools === undefined ? chat : studyTemplate(native, native.templates.tools)
  const harmony = isHarmony(chat.template.source)
  const own = harmony ? HARMONY_SYNTAX : ownSyntax(forTools, special, ends)
  return {
    bytes: createTokenBytes(native.vocabulary),
    guard: new PromptGuard(native.vocabulary),
    chat,
    tools: { ...forTools, syntax: own ?? GENERAL_SYNTAX, isGeneral: own === undefined },
    thinking: harmony ? { takesEffort: true, opensItself: false } : probeThinking(chat.template, special),
    isHarmony: harmony,
    controls,
  }
}

function studyTemplate(native: Native, source: string | undefined): TemplateProfile {
  const template = new ChatTemplate(native, source)
  return { template, traits: probeTraits(template) }
}

/** Whether a template can express tools, calls and results. */
function ownSyntax(profile: TemplateProfile, specialTexts: string[], endTexts: string[]): ToolSyntax | undefined {
  const { hasTools, hasToolResults } = profile.traits
  return hasTools && hasToolResults ? probeToolSyntax({ ...profile, specialTexts, endTexts }) : undefined
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
  const { begin = '', end = '' } = profile.thinking.tags ?? {}
  const wording = [syntax?.begin, syntax?.middle, syntax?.between, syntax?.end].flatMap((parts) => parts ?? [])
  return [
    begin,
    end,
    ...(profile.isHarmony ? HARMONY_MARKS : []),
    ...wording.filter((part) => typeof part === 'string'),
  ].join('\n')
}
