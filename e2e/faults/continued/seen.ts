// A reply as its client sees it, without what is drawn by chance or depends on timing. Two replies are compared by it.

import type { Answer, Client } from '../../harness/client.ts'
import type { StreamEvent } from '../../harness/read-stream.ts'
import type { CallBody, CompletionBody, LogprobsBody, UsageBody } from '../../harness/reply-shapes.ts'

export interface SeenChoice {
  text: string
  calls: string[]
  /** The tokens that came with a log probability. */
  tokens: string[]
  finishes: string[]
}

export interface Seen {
  choices: SeenChoice[]
  usage: UsageBody | undefined
  /** How often the reply ended, in whichever way. */
  ends: string[]
}

/** A stream that doesn't begin, or breaks off, ends with the reason. */
export async function streamSeen(client: Client, body: object): Promise<Seen> {
  const events: StreamEvent[] = []
  try {
    const stream = await client.openStream(body)
    for await (const event of stream.events) events.push(event)
    return seenOfStream(events)
  } catch (error) {
    return { ...seenOfStream(events), ends: [String(error)] }
  }
}

function seenOfStream(events: readonly StreamEvent[]): Seen {
  const seen: Seen = { choices: [], usage: undefined, ends: [] }
  for (const event of events) {
    if (event.kind !== 'chunk') seen.ends.push(event.kind === 'done' ? 'done' : `error: ${event.error.message}`)
    else if (seen.ends.length > 0) seen.ends.push('a chunk after the end')
    else addChunk(seen, event.chunk)
  }
  return seen
}

function addChunk(seen: Seen, chunk: Extract<StreamEvent, { kind: 'chunk' }>['chunk']): void {
  for (const { index, delta, logprobs, finish_reason } of chunk.choices) {
    const choice = (seen.choices[index] ??= { text: '', calls: [], tokens: [], finishes: [] })
    choice.text += delta.content ?? ''
    choice.calls.push(...callsOf(delta.tool_calls))
    choice.tokens.push(...tokensOf(logprobs))
    if (finish_reason !== null) choice.finishes.push(finish_reason)
  }
  if (!chunk.usage) return
  if (seen.usage !== undefined) seen.ends.push('usage for the second time')
  seen.usage = plainUsage(chunk.usage)
}

export function seenOfWhole({ status, json, text }: Answer): Seen {
  if (status !== 200) return { choices: [], usage: undefined, ends: [`${status}: ${text.slice(0, 300)}`] }
  const { choices, usage } = json as CompletionBody
  return {
    choices: choices.map(({ message, logprobs, finish_reason }) => ({
      text: message.content ?? '',
      calls: callsOf(message.tool_calls),
      tokens: tokensOf(logprobs),
      finishes: [finish_reason],
    })),
    usage: usage && plainUsage(usage),
    ends: ['done'],
  }
}

/** The first difference, for people; undefined if there is none. */
export function findDifference(expected: Seen, found: Seen): string | undefined {
  const [one, other] = [expected, found].map((seen) => ({ ...seen, choices: seen.choices.map(describe) }))
  if (JSON.stringify(one) === JSON.stringify(other)) return undefined
  const fields = ['ends', 'usage'] as const
  const field = fields.find((name) => JSON.stringify(expected[name]) !== JSON.stringify(found[name]))
  if (field !== undefined) return `${field}: ${JSON.stringify(found[field])}, not ${JSON.stringify(expected[field])}`
  const index = expected.choices.findIndex((choice, at) => describe(choice) !== describe(found.choices[at]))
  return differenceIn(describe(expected.choices[index]), describe(found.choices[index]), index)
}

function describe(choice: SeenChoice | undefined): string {
  return JSON.stringify(choice) ?? 'nothing'
}

const AROUND = 60

function differenceIn(expected: string, found: string, index: number): string {
  let at = 0
  while (at < expected.length && expected[at] === found[at]) at++
  const part = (text: string) => JSON.stringify(text.slice(Math.max(0, at - AROUND), at + AROUND))
  return `choice ${index} differs at character ${at} of ${expected.length}: ${part(found)}, not ${part(expected)}`
}

function callsOf(calls: readonly CallBody[] | undefined): string[] {
  return (calls ?? []).map((call) => `${call.function.name} ${call.function.arguments}`)
}

function tokensOf(logprobs: LogprobsBody | null | undefined): string[] {
  return (logprobs?.content ?? []).map(({ token }) => token)
}

/** How much was cached depends on what the device did before. */
function plainUsage(usage: UsageBody): UsageBody {
  const { prompt_tokens, completion_tokens, total_tokens, completion_tokens_details } = usage
  const details = completion_tokens_details && { completion_tokens_details }
  return { prompt_tokens, completion_tokens, total_tokens, ...details }
}
