// Turns the server's chunks for one choice into our events: it drops the thinking, ends the text after the first stop sequence, keeps log
// probabilities with their text, and emits tool calls complete.

import type { ChatEvent, FinishReason, JobTool, TokenLogprob, ToolCall } from '@hearth/protocol'
import { newCallId } from '../../formats/tool-calls.ts'
import { StopSequences } from '../../stop-sequences.ts'
import type { ChunkChoice } from '../http/chunk.ts'
import { RawCalls } from './raw-calls.ts'
import { ThinkTags } from './think-tags.ts'
import { ToolCallParts } from './tool-call-parts.ts'

export interface ChoiceOptions {
  /** The index of the choice in the job's answer. */
  choice: number
  stop: readonly string[]
  startsThinking: boolean
  /** The tools that the model may call. */
  tools: readonly JobTool[]
  /** How many alternatives per token; absent if the job wants no log probabilities. */
  topLogprobs?: number
}

/** Finish reasons that some servers send when they failed. */
const BROKEN_OFF = ['abort', 'error']

type TextEvent = Extract<ChatEvent, { type: 'text' }>

export class ChoiceReader {
  readonly #options: ChoiceOptions
  readonly #think: ThinkTags
  readonly #stop: StopSequences
  readonly #calls = new ToolCallParts()
  readonly #raw: RawCalls
  /** Log probabilities of tokens whose text is still held back. */
  #waiting: TokenLogprob[] = []
  #surrogate = ''
  #finish: string | undefined
  #isStopped = false
  #hasCalls = false
  /** Chunks with any content, including thinking: with most servers each is one token. */
  pieces = 0

  constructor(options: ChoiceOptions) {
    this.#options = options
    this.#think = new ThinkTags(options.startsThinking)
    this.#raw = new RawCalls(options.tools)
    this.#stop = new StopSequences(options.stop)
  }

  /** The text reached a stop sequence; everything after it is dropped. */
  get isStopped(): boolean {
    return this.#isStopped
  }

  get isFinished(): boolean {
    return this.#isStopped || (this.#finish !== undefined && !BROKEN_OFF.includes(this.#finish))
  }

  get isThinking(): boolean {
    return this.#think.isThinking
  }

  push(piece: ChunkChoice): TextEvent | undefined {
    if (this.#isStopped) return undefined
    if (piece.text !== '' || piece.reasoning !== '' || piece.calls.length > 0) this.pieces += 1
    for (const part of piece.calls) this.#calls.push(part)
    if (piece.finish !== undefined) this.#finish = piece.finish
    return this.#event(this.#split(piece).map(({ bytes, logprobs }) => this.#show(bytes, logprobs)))
  }

  /** The server ended the answer; some do so without a finish reason. */
  done(): void {
    this.#finish ??= 'stop'
  }

  /** Releases what is still held back when the answer is over. */
  end(): ChatEvent[] {
    const events: ChatEvent[] = []
    const { texts, calls } = this.#isStopped ? { texts: [], calls: [] } : this.#conclude()
    const rest = this.#event(texts)
    if (rest !== undefined) events.push(rest)
    this.#hasCalls = calls.length > 0
    if (this.#hasCalls) events.push({ type: 'tool-calls', choice: this.#options.choice, calls })
    return events
  }

  /** The text that is still held back, and the calls: those that the server read, or those that it left in the text. */
  #conclude(): { texts: string[]; calls: ToolCall[] } {
    const texts = [this.#through(this.#raw.push(this.#think.flush()))]
    const [left, calls] = [this.#raw.end(this.#isCut), this.#calls.take()]
    if ('rest' in left) texts.push(this.#through(left.rest))
    if ('rest' in left || calls.length > 0) return { texts, calls }
    return { texts, calls: left.calls.map((call) => ({ id: newCallId(), ...call })) }
  }

  /** Valid after `end`. */
  get reason(): FinishReason {
    if (this.#isStopped) return 'stop'
    if (this.#isCut) return 'length'
    return this.#hasCalls ? 'tool_calls' : 'stop'
  }

  get #isCut(): boolean {
    return this.#finish === 'length' || this.#finish === 'max_tokens'
  }

  // Splits by token if there are log probabilities, so that those after a stop sequence are dropped with their text.
  #split({ text, logprobs }: ChunkChoice): { bytes: Buffer; logprobs: TokenLogprob[] }[] {
    const whole = this.#wholeText(text)
    const { topLogprobs } = this.#options
    if (topLogprobs === undefined) return [{ bytes: whole, logprobs: [] }]
    const wanted = logprobs.map((entry) => ({ ...entry, top: entry.top.slice(0, topLogprobs) }))
    const tokens = wanted.map((entry) => ({ bytes: Buffer.from(entry.bytes), logprobs: [entry] }))
    const isSame = Buffer.concat(tokens.map(({ bytes }) => bytes)).equals(whole)
    return isSame ? tokens : [{ bytes: whole, logprobs: wanted }]
  }

  // A surrogate pair may be split over two chunks.
  #wholeText(text: string): Buffer {
    const all = this.#surrogate + text
    this.#surrogate = /[\uD800-\uDBFF]$/.test(all) ? all.slice(-1) : ''
    return Buffer.from(this.#surrogate === '' ? all : all.slice(0, -1))
  }

  #show(bytes: Buffer, logprobs: TokenLogprob[]): string {
    if (this.#isStopped) return ''
    const visible = this.#think.push(bytes)
    if (visible.fate === 'hidden') this.#waiting = []
    else this.#waiting.push(...logprobs)
    return this.#through(this.#raw.push(visible.bytes))
  }

  #through(bytes: Buffer): string {
    const { text, isStopped } = this.#stop.push(bytes)
    this.#isStopped = isStopped
    return text
  }

  #event(texts: string[]): TextEvent | undefined {
    const text = texts.join('')
    if (text === '') return undefined
    const logprobs = this.#waiting
    this.#waiting = []
    const event: TextEvent = { type: 'text', choice: this.#options.choice, text }
    return logprobs.length > 0 ? { ...event, logprobs } : event
  }
}
