// The measurements, for every system. Texts are different each time, so that caches help only where they are meant to.

import { startStories } from './story-streams.ts'
import type { System, Turn } from './system.ts'

const WORDS = 'river stone window garden silver morning letter bridge candle forest winter market'.split(' ')
/** Text of about this many tokens for the starter model. */
const WORDS_PER_TOKEN = 0.96
const STREAM_TOKENS = 64

export interface Measures {
  promptTokensPerSecond(): Promise<number>
  /** All jobs together: while every one of them writes, where tokens that come together count once; and from asking to the last token. */
  tokensPerSecond(jobs: number): Promise<{ writing: number; answering: number }>
  /** Time to first token of a conversation, and of its next turn. */
  firstTokenMs(): Promise<{ cold: number; next: number }>
  /** The longest pause in running streams while a long prompt arrives. */
  longestGapMs(): Promise<number>
  cancelMs(phase: 'prompt' | 'reply'): Promise<number>
}

const LONG_PROMPT = 1500

export function measuresOf(system: System, temperature: number): Measures {
  return {
    async promptTokensPerSecond() {
      const { first } = await timed(system, [ask(longText(LONG_PROMPT))], 1)
      return (LONG_PROMPT / first) * 1000
    },
    async tokensPerSecond(jobs) {
      const begun = performance.now()
      const times = await Promise.all(
        Array.from({ length: jobs }, (_, index) =>
          tokenTimes(system, [ask(`Tell me story number ${index} ${longText(4)}`)], temperature),
        ),
      )
      const [from, until] = [Math.max(...times.map((all) => all[0]!)), Math.min(...times.map((all) => all.at(-1)!))]
      const written = times.flat().filter((at) => at > from && at <= until).length
      const end = Math.max(...times.flat())
      return { writing: (written / (until - from)) * 1000, answering: ((jobs * STREAM_TOKENS) / (end - begun)) * 1000 }
    },
    async firstTokenMs() {
      const opening = ask(longText(LONG_PROMPT))
      const cold = await timed(system, [opening], 8)
      const next = await timed(system, [opening, { role: 'assistant', content: cold.text }, ask('And then?')], 1)
      return { cold: cold.first, next: next.first }
    },
    longestGapMs: () => longestGap(system),
    cancelMs: (phase) => (phase === 'reply' ? cancelReply(system) : cancelPrompt(system)),
  }
}

function ask(content: string): Turn['messages'][number] {
  return { role: 'user', content }
}

function longText(tokens: number): string {
  const count = Math.round(tokens * WORDS_PER_TOKEN)
  return Array.from({ length: count }, () => WORDS[Math.floor(Math.random() * WORDS.length)]).join(' ')
}

async function tokenTimes(system: System, messages: Turn['messages'], temperature: number): Promise<number[]> {
  const times: number[] = []
  await system.answer({ messages, tokens: STREAM_TOKENS, temperature, onToken: (at) => times.push(at) })
  return times
}

async function timed(
  system: System,
  messages: Turn['messages'],
  tokens: number,
): Promise<{ first: number; text: string }> {
  const begun = performance.now()
  let first = 0
  let text = ''
  await system.answer({
    messages,
    tokens,
    onToken: (at, piece) => {
      first ||= at - begun
      text += piece
    },
  })
  return { first, text }
}

async function longestGap(system: System): Promise<number> {
  const { times: streams, stop } = await startStories(system, 1500, 4)
  const from = performance.now()
  const { first } = await timed(system, [ask(longText(LONG_PROMPT))], 1)
  await stop()
  const gaps = streams.flatMap((times) => times.map((at, index) => ({ at, gap: at - (times[index - 1] ?? at) })))
  return Math.max(...gaps.filter(({ at }) => at > from && at < from + first + 1000).map(({ gap }) => gap))
}

async function cancelReply(system: System): Promise<number> {
  const abort = new AbortController()
  let aborted = 0
  await system.answer({
    messages: [ask(`Tell me a story ${longText(4)}`)],
    tokens: 1000,
    signal: abort.signal,
    onToken: () => {
      aborted ||= performance.now()
      abort.abort()
    },
  })
  return performance.now() - aborted
}

async function cancelPrompt(system: System): Promise<number> {
  const abort = new AbortController()
  const answering = system.answer({ messages: [ask(longText(LONG_PROMPT))], tokens: 1, signal: abort.signal })
  await new Promise((resolve) => setTimeout(resolve, 400))
  const aborted = performance.now()
  abort.abort()
  await answering
  return performance.now() - aborted
}
