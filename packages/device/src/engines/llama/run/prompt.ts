// A job's prompt: the template rendered with its messages and tools, and the markers for reading the reply.

import type { ChatJob, JobMessage, JobTool } from '@hearth/protocol'
import { explainTools, writeCallsAsText } from '../tools/general-tools.ts'
import { marksOf, type ModelProfile } from './model-profile.ts'
import type { Token } from '../native/native.ts'
import type { WrittenPrompt } from '../rendering/render-messages.ts'
import {
  endsAfterThinking,
  endsWithinThinking,
  thinkingBudget,
  thinkingVariables,
  type ThinkingTags,
} from '../template/reasoning.ts'
import type { ReplyMarks } from '../reply/reply-reader.ts'
import { tooLong } from '../../too-long.ts'
import { toTemplateMessages, toTemplateTools } from '../template/template-messages.ts'
import { triggerTexts } from '../../formats/tool-calls.ts'
import type { ToolSyntax, Trigger } from '../../formats/tool-syntax.ts'
import { writeCallsAsModel } from '../tools/write-calls.ts'

export interface Prompt {
  tokens: readonly Token[]
  /** The tools that the model may call; none if the job forbids it. */
  tools: readonly JobTool[]
  syntax: ToolSyntax
  marks: ReplyMarks
  /** The maximum number of thinking tokens. */
  thinkingBudget: number
  /** Tokens that must not be drawn under a grammar. */
  banned: readonly Token[]
}

/** Throws EngineError if the template can't express the messages or takes too much, or if the prompt doesn't fit. */
export async function buildPrompt(job: ChatJob, profile: ModelProfile): Promise<Prompt> {
  const tools = job.toolChoice === 'none' ? [] : (job.tools ?? [])
  const written = await writePrompt(job, tools, profile)
  if (written.type === 'too-long') {
    const { tokens } = written
    throw tooLong(profile.contextLength, tokens === undefined ? undefined : { tokens, maxTokens: job.maxTokens })
  }
  const { syntax } = profile.tools
  const { tags } = profile.thinking
  const marks = marksOf(profile, tools.length === 0 ? undefined : syntax)
  return {
    tokens: Array.from(written.tokens),
    tools,
    syntax,
    marks: {
      ...(tags === undefined ? {} : { thinking: { ...tags, ...thinkingAt(written.ending, tags, profile) } }),
      ...(tools.length === 0 ? {} : { calls: { triggers: triggersFor(syntax.triggers, tools) } }),
      ...(profile.content === undefined ? {} : { content: profile.content }),
    },
    thinkingBudget: thinkingBudget(profile.thinking, job.reasoningEffort),
    banned: profile.controls.filter((control) => !marks.includes(control.text)).map(({ token }) => token),
  }
}

function thinkingAt(text: string, tags: ThinkingTags, profile: ModelProfile): { isOpen: boolean; mayBegin: boolean } {
  return {
    isOpen: endsWithinThinking(text, tags),
    mayBegin: profile.thinking.opensItself && !endsAfterThinking(text, tags),
  }
}

function triggersFor(triggers: readonly Trigger[], tools: readonly JobTool[]): Trigger[] {
  return triggers.flatMap((trigger) => triggerTexts([trigger], tools).map((text) => ({ ...trigger, text })))
}

async function writePrompt(job: ChatJob, tools: readonly JobTool[], profile: ModelProfile): Promise<WrittenPrompt> {
  const usesTools = tools.length > 0 || job.messages.some(mentionsTools)
  const kind = usesTools ? 'tools' : 'chat'
  const { traits } = profile[kind]
  // A template that doesn't list tools leaves it to the instructions.
  const isExplained = tools.length > 0 && !(traits.hasTools && !profile.tools.isGeneral)
  const plain = usesTools ? withCallsShown(job.messages, profile) : job.messages
  const messages = isExplained ? explainTools(plain, tools, profile.tools.syntax) : plain
  return profile.render(kind, {
    messages: toTemplateMessages(messages, traits),
    tools: isExplained ? [] : toTemplateTools(tools),
    variables: thinkingVariables(profile.thinking, job.reasoningEffort),
  })
}

/** Earlier calls become text if the template doesn't write them. */
function withCallsShown(messages: readonly JobMessage[], { tools }: ModelProfile): readonly JobMessage[] {
  if (tools.isGeneral) return writeCallsAsText(messages)
  return tools.traits.hasCalls ? messages : writeCallsAsModel(messages, tools.syntax)
}

function mentionsTools(message: JobMessage): boolean {
  return message.role === 'tool' || (message.role === 'assistant' && message.toolCalls !== undefined)
}
