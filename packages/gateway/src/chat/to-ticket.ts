// Everything the scheduler needs to know about a request: sizes and hashes, never its text.

import type { ChatJob, JobMessage } from '@hearth/protocol'
import type { Caller } from '../access/access-book.ts'
import { estimateTokens, type Prefix, type Ticket } from '../fleet/fleet.ts'
import type { ChatRequest } from './read-chat-request.ts'

/** The expected length of a completion without a limit, in tokens. */
const EXPECTED_ANSWER = 512
const MAX_PREFIXES = 64
/** Characters sampled per message: a wrong guess about a cache costs time, not correctness. */
const HASH_SAMPLES = 128

export function toTicket(id: string, chat: ChatRequest, caller: Caller): Ticket {
  const prefixes = listPrefixes(chat.job.messages)
  const promptSize = prefixes.at(-1)?.size ?? 0
  return {
    job: id,
    organization: caller.organization,
    key: caller.key,
    model: chat.job.model,
    features: chat.demands.map(({ feature }) => feature),
    rerunnable: !chat.stream,
    cost: expectedTokens(chat.job, promptSize),
    promptSize,
    prefixes,
  }
}

function expectedTokens({ maxTokens, n }: ChatJob, promptSize: number): number {
  return Math.ceil(estimateTokens(promptSize)) + (n ?? 1) * Math.min(maxTokens ?? EXPECTED_ANSWER, 8 * EXPECTED_ANSWER)
}

function listPrefixes(messages: readonly JobMessage[]): Prefix[] {
  let hash = 0
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
