// Many streamed chats at once. Every prompt is new, so that no cache helps, and every reply has the same number of tokens.

import { median } from '../../percentile.ts'
import { replyChunks, type ReplyChunk } from '../reply-chunks.ts'
import type { GpuSystem } from './system.ts'

export interface Load {
  jobs: number
  /** About as many tokens as the prompt has in the starter model's vocabulary. */
  promptTokens: number
  replyTokens: number
}

export interface LoadResult {
  /** Of all jobs together, from the first request to the last token. */
  tokensPerSecond: number
  /** The median of the times to the first token, and the longest pause in any stream. */
  firstTokenMs: number
  longestGapMs: number
}

interface Reply {
  begun: number
  times: number[]
  tokens: number
}

const WORDS = ['river', 'stone', 'cloud', 'paper', 'light']
/** The template and the number in front of the words. */
const OTHER_TOKENS = 50
/** End tokens of the starter model's vocabulary: a reply must not end early. */
const ENDS = { '0': -100, '2': -100 }

export async function runLoad(system: GpuSystem, load: Load): Promise<LoadResult> {
  const replies = await Promise.all(Array.from({ length: load.jobs }, () => ask(system, load)))
  const begun = Math.min(...replies.map((reply) => reply.begun))
  const ended = Math.max(...replies.map(({ times }) => times.at(-1)!))
  const tokens = replies.reduce((sum, reply) => sum + reply.tokens, 0)
  const gaps = replies.flatMap(({ times }) => times.slice(1).map((time, index) => time - times[index]!))
  return {
    tokensPerSecond: (tokens / (ended - begun)) * 1000,
    firstTokenMs: median(replies.map((reply) => reply.times[0]! - reply.begun)),
    longestGapMs: Math.max(...gaps),
  }
}

async function ask({ base, key, model, fields }: GpuSystem, { promptTokens, replyTokens }: Load): Promise<Reply> {
  const words = Array.from({ length: Math.max(0, promptTokens - OTHER_TOKENS) }, (_, index) => WORDS[index % 5])
  const reply: Reply = { begun: performance.now(), times: [], tokens: 0 }
  const response = await fetch(`${base}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({
      model,
      messages: [{ role: 'user', content: `${crypto.randomUUID()} ${words.join(' ')}` }],
      max_tokens: replyTokens,
      temperature: 0.8,
      logit_bias: ENDS,
      stream: true,
      stream_options: { include_usage: true },
      ...fields,
    }),
  })
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  for await (const chunk of replyChunks(response.body!)) read(chunk, reply)
  return reply
}

function read({ choices, usage }: ReplyChunk, reply: Reply): void {
  if (choices[0]?.delta?.content) reply.times.push(performance.now())
  if (usage) reply.tokens = usage.completion_tokens
}
