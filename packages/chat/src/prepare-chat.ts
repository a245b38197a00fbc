// Everything the gateway keeps of a request: the job as text, once, and small facts about it. The body and the objects it was parsed into
// are dropped right away, so a waiting job takes up no more memory than its text. Pure: large bodies are prepared in another thread.

import { fieldNeeds, type ChatJob, type Need, type PrefixScope } from '@hearth/protocol'
import { estimateTokens } from './estimate-tokens.ts'
import { parseJson } from './json/parse-json.ts'
import { readChatRequest, type ChatRequest, type ReadLimits } from './read-chat-request.ts'

export interface PreparedChat {
  /** The job as JSON, ready for a device. */
  text: string
  /** How much memory the text takes up. */
  textBytes: number
  shape: ReplyShape
  stream: boolean
  /** Fields that were sent but have no effect. */
  ignored: string[]
  size: JobSize
}

export interface JobSize {
  /** Expected tokens of prompt and answers, charged in the fair queue until the job ends. */
  cost: number
  /** The most tokens that the answers may have together, if the client said. */
  answerLimit?: number | undefined
  /** Characters of the prompt. */
  promptSize: number
  /** The conversation up to each message, oldest first: parts of it may still be in a device's cache. */
  prefixes: readonly Prefix[]
}

export interface Prefix {
  hash: number
  size: number
}

/** Everything a reply has to know about its request. */
export interface ReplyShape {
  model: string
  choices: number
  hasLogprobs: boolean
  includeUsage: boolean
  mirrorsFunctions: boolean
  demands: readonly Need[]
}

/** The expected length of a completion without a limit, in tokens. */
const EXPECTED_ANSWER = 512
const MAX_PREFIXES = 64
/** Characters sampled per message: a wrong guess about a cache costs time, not correctness. */
const HASH_SAMPLES = 128

/** Throws an ApiError for anything wrong with the request itself. `prefixScope` says whose request it is. */
export function prepareChat(body: Buffer, limits: ReadLimits, prefixScope?: PrefixScope): PreparedChat {
  const chat = readChatRequest(parseJson(body), limits)
  if (prefixScope) chat.demands.push(...fieldNeeds({ prefixScope }, 'prefixScope'))
  const text = serialize(chat.job, prefixScope)
  return {
    text,
    textBytes: memoryOf(text),
    shape: shapeOf(chat),
    stream: chat.stream,
    ignored: chat.ignored,
    size: sizeOf(chat.job, prefixScope),
  }
}

/** All requests of a key have the same scope, so its text is made once. */
const scopes = new WeakMap<PrefixScope, string>()

function serialize(job: ChatJob, prefixScope: PrefixScope | undefined): string {
  const text = JSON.stringify(job)
  if (prefixScope === undefined) return text
  let scope = scopes.get(prefixScope)
  if (scope === undefined) scopes.set(prefixScope, (scope = `,"prefixScope":${JSON.stringify(prefixScope)}}`))
  return text.slice(0, -1) + scope
}

export function shapeOf({ job, includeUsage, mirrorsFunctions, demands }: ChatRequest): ReplyShape {
  const { model, n = 1, logprobs } = job
  return { model, choices: n, hasLogprobs: logprobs !== undefined, includeUsage, mirrorsFunctions, demands }
}

/** The engine stores a text with one byte per character if it can, and else with two. */
export function memoryOf(text: string): number {
  return Buffer.byteLength(text) === text.length ? text.length : 2 * text.length
}

function sizeOf(job: ChatJob, prefixScope: PrefixScope | undefined): JobSize {
  const prefixes = listPrefixes(job, prefixScope)
  const promptSize = prefixes.at(-1)?.size ?? 0
  const { maxTokens, n = 1 } = job
  const answerLimit = maxTokens === undefined ? undefined : n * maxTokens
  return {
    cost: expectedTokens(Math.ceil(estimateTokens(promptSize)), n, maxTokens),
    answerLimit,
    promptSize,
    prefixes,
  }
}

/** Of prompt and answers. */
export function expectedTokens(promptTokens: number, choices: number, maxTokens: number | undefined): number {
  return promptTokens + choices * Math.min(maxTokens ?? EXPECTED_ANSWER, 8 * EXPECTED_ANSWER)
}

function listPrefixes({ messages }: ChatJob, prefixScope: PrefixScope | undefined): Prefix[] {
  // A device that holds the conversation for another key is of no use then.
  let hash = prefixScope?.isSeparate ? mix(0, prefixScope.name) : 0
  let size = 0
  const prefixes = messages.map(({ role, content }) => {
    hash = mix(mix(hash, role), content)
    size += content.length
    return { hash, size }
  })
  return prefixes.slice(-MAX_PREFIXES)
}

// FNV-1a over the length and evenly spread characters.
function mix(seed: number, text: string): number {
  let hash = Math.imul(seed ^ text.length, 16_777_619)
  const step = Math.max(1, Math.floor(text.length / HASH_SAMPLES))
  for (let index = 0; index < text.length; index += step) hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619)
  return hash
}
