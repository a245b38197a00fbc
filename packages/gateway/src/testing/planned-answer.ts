// Applies a plan to one request: the pieces of the answer, limited by the request as a real engine would do, and how it ends.

import {
  TextSum,
  type BegunChoice,
  type ChatJob,
  type FinishReason,
  type TokenLogprob,
  type ToolCall,
  type Usage,
} from '@hearth/protocol'
import type { JobPlan } from './job-plan.ts'
import { numberedToken } from './numbered-text.ts'

export interface PlannedAnswer {
  choices: number
  tokens: string[]
  calls: readonly ToolCall[]
  finish: FinishReason
  usage: Usage | undefined
}

const DEFAULT_TOKENS = 8
const STEP = 8

export function planAnswer(plan: JobPlan, request: ChatJob): PlannedAnswer {
  const calls = plannedCalls(plan, request)
  const wanted = calls.length > 0 && plan.text === undefined ? [] : plannedTokens(plan, request)
  const stopped = cutAtStop(wanted, request.stop ?? [])
  const tokens = stopped.slice(0, request.maxTokens ?? stopped.length)
  const reached = tokens.length < stopped.length ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop'
  return {
    choices: request.n ?? 1,
    tokens,
    calls,
    finish: plan.finish ?? reached,
    usage: plannedUsage(plan, request, tokens.length),
  }
}

function plannedTokens(plan: JobPlan, request: ChatJob): string[] {
  if (plan.echoesJob === true) return [JSON.stringify(request)]
  if (typeof plan.text === 'string') return [plan.text]
  if (plan.text !== undefined) return [...plan.text]
  return Array.from({ length: plan.tokens ?? DEFAULT_TOKENS }, (_, index) => numberedToken(index))
}

function plannedCalls(plan: JobPlan, request: ChatJob): readonly ToolCall[] {
  if (plan.calls === undefined || request.toolChoice === 'none') return []
  if (plan.calls !== 'first-tool') return plan.calls
  const [tool] = request.tools ?? []
  return tool === undefined
    ? []
    : [{ id: 'call_000000000000000000000001', name: tool.name, arguments: '{"city":"Oslo"}' }]
}

// The stop sequence stays at the end of the answer; it can start in one token and end in the next.
function cutAtStop(tokens: string[], stops: readonly string[]): string[] {
  const text = tokens.join('')
  const ends = stops.flatMap((stop) => (text.includes(stop) ? [text.indexOf(stop) + stop.length] : []))
  let room = Math.min(text.length, ...ends)
  const kept: string[] = []
  for (const token of tokens) {
    if (room <= 0) break
    kept.push(token.slice(0, room))
    room -= token.length
  }
  return kept
}

function plannedUsage(plan: JobPlan, request: ChatJob, completionTokens: number): Usage | undefined {
  if (plan.usage === 'none') return undefined
  return plan.usage ?? { promptTokens: request.messages.length, completionTokens }
}

export function plannedLogprobs(request: ChatJob, token: string): TokenLogprob[] | undefined {
  if (request.logprobs === undefined) return undefined
  const entry = { token, logprob: -0.25, bytes: [...Buffer.from(token)] }
  return [{ ...entry, top: Array.from({ length: request.logprobs.top }, () => entry) }]
}

/** In one choice, the ids are an arithmetic series, so that a lost, repeated or misplaced one is noticed when another device continues the answer. */
export function tokenId(choice: number, token: number): number {
  return choice + STEP * token
}

/** How many tokens of a choice the client has, and whether it has its calls. */
export function begunOf({ recovery }: ChatJob, choice: number): { tokens: number; hasCalls: boolean } {
  const begun = recovery?.choices?.[choice]
  return { tokens: begun?.tokens.length ?? 0, hasCalls: begun?.hasCalls ?? false }
}

/** Whether the client has a beginning of this answer, and nothing else. */
export function isBeginning({ tokens }: PlannedAnswer, { recovery }: ChatJob): boolean {
  return recovery?.choices?.every((begun, choice) => isBeginningOf(tokens, begun, choice)) ?? true
}

function isBeginningOf(texts: readonly string[], { tokens, length, checksum }: BegunChoice, choice: number): boolean {
  const sum = new TextSum()
  for (const text of texts.slice(0, tokens.length)) sum.add(text)
  const isSeries = tokens.every((id, index) => id === tokenId(choice, index))
  return isSeries && tokens.length <= texts.length && sum.length === length && sum.checksum === checksum
}
