// Puts what a device produced into the shapes of the reference API.

import type { TokenLogprob, ToolCall, UrlCitation, Usage } from '@hearth/protocol'
import { randomHex } from '../ids.ts'

const FINGERPRINT = 'fp_service_local'

/** The fields that all chunks of a reply share, without the closing brace. Ids need no escaping. */
export function serializeHead(object: string, id: string, created: number, model: string): string {
  return `{"id":"${id}","object":"${object}","created":${created},"model":${JSON.stringify(model)},"system_fingerprint":"${FINGERPRINT}"`
}

/** A probability of zero has no finite logarithm and JSON has no infinity, so the reference API uses this number. */
const LOWEST_LOGPROB = -9999

/**
 * The calls of one choice. Clients answer a call by its id, so each call of a reply gets a different one, whatever the device sent.
 * Arguments are JSON text, so missing ones become an empty object. `taken` holds the ids of the whole reply.
 */
export function shapeToolCalls(calls: readonly ToolCall[], taken: Set<string>) {
  return calls.map(({ id, name, arguments: text }) => ({
    id: takeId(id, taken),
    type: 'function',
    function: { name, arguments: text || '{}' },
  }))
}

function takeId(wanted: string, taken: Set<string>): string {
  const id = wanted === '' || taken.has(wanted) ? `call_${randomHex(12)}` : wanted
  taken.add(id)
  return id
}

export function shapeLogprobs(logprobs: readonly TokenLogprob[]) {
  return {
    content: logprobs.map((each) => ({ ...shapeToken(each), top_logprobs: each.top.map(shapeToken) })),
    refusal: null,
  }
}

function shapeToken({ token, logprob, bytes }: { token: string; logprob: number; bytes: number[] }) {
  return { token, logprob: Number.isFinite(logprob) ? Math.max(logprob, LOWEST_LOGPROB) : LOWEST_LOGPROB, bytes }
}

export function shapeAnnotation({ url, title, start, end }: UrlCitation) {
  return { type: 'url_citation', url_citation: { start_index: start, end_index: end, url, title } }
}

/** Has details only if the device reports them. Tokens that were cached for another key are nobody else's business. */
export function serializeUsage({ promptTokens, completionTokens, ownCachedTokens, reasoningTokens }: Usage): string {
  const cached = ownCachedTokens === undefined ? '' : `,"prompt_tokens_details":{"cached_tokens":${ownCachedTokens}}`
  const reasoning =
    reasoningTokens === undefined ? '' : `,"completion_tokens_details":{"reasoning_tokens":${reasoningTokens}}`
  return `{"prompt_tokens":${promptTokens},"completion_tokens":${completionTokens},"total_tokens":${promptTokens + completionTokens}${cached}${reasoning}}`
}
