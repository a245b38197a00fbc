// One choice of a job: draws its tokens, reads the reply as it grows, and decides when it is finished.

import type { ChatEvent, FinishReason, JobTool } from '@hearth/protocol'
import type { EngineJob, EngineScope } from '../../engine.ts'
import type { Drawn, Generation } from '../decode/generation.ts'
import { ChoiceText } from '../reply/choice-text.ts'
import { EarlierReply } from './earlier-reply.ts'
import type { Constraints } from './constraints.ts'
import { createReader, readCallsOf, readCutCallsOf } from './create-reader.ts'
import { GrammarRejected } from './grammar-text.ts'
import { Logprobs } from '../decode/sampling/logprobs.ts'
import type { Piece } from '../reply/marks.ts'
import type { ModelProfile } from './model-profile.ts'
import type { Native, Token } from '../native/native.ts'
import type { Prompt } from './prompt.ts'
import type { ReplyPart, ReplyReader } from '../reply/reply-reader.ts'
import { Sampler, randomSeed } from '../decode/sampling/sampler.ts'
import { newCallId, type CutCalls, type ReadCall } from '../../formats/tool-calls.ts'
import { TokenReport } from './token-report.ts'
import { isObject, readProperties } from '@hearth/json-schema-grammar'

export type ChoiceEvent = Exclude<ChatEvent, { type: 'end' }>

export interface ChoiceWorld {
  native: Native
  profile: ModelProfile
  job: EngineJob
  prompt: Prompt
  constraints: Constraints
  emit(event: ChoiceEvent): void
  onStart(reused: number, own: number): void
  onPrompt(done: number): void
  onThinking(tokens: number): void
  onEnd(error: unknown): void
}

export class Choice implements Generation {
  readonly prompt: readonly Token[]
  readonly replayed: number
  readonly isRepeatable: boolean
  readonly hasNoSurprises: boolean
  readonly leader?: Generation
  readonly scope?: EngineScope
  finish: FinishReason | undefined
  completionTokens = 0
  thinkingTokens = 0
  readonly #index: number
  readonly #world: ChoiceWorld
  readonly #sampler: Sampler
  readonly #logprobs: Logprobs | undefined
  readonly #reader: ReplyReader
  readonly #text: ChoiceText
  readonly #limit: number
  readonly #earlier: EarlierReply | undefined
  readonly #report: TokenReport | undefined
  #isConstrained = false

  constructor(index: number, world: ChoiceWorld, leader?: Generation) {
    const { native, profile, job, prompt, constraints } = world
    this.#index = index
    this.#world = world
    const begun = job.recovery?.choices?.[index]
    this.prompt = begun === undefined ? prompt.tokens : [...prompt.tokens, ...begun.tokens]
    this.replayed = begun?.tokens.length ?? 0
    // When tokens are drawn at random, the last bits of the numbers don't matter.
    this.isRepeatable = job.temperature === 0
    this.hasNoSurprises = (job.stop ?? []).length === 0 && prompt.thinkingBudget === Number.POSITIVE_INFINITY
    this.#earlier = begun && new EarlierReply(begun, native.vocabulary.size)
    this.#report = job.recovery && new TokenReport(index)
    if (leader !== undefined) this.leader = leader
    if (job.prefixScope !== undefined) this.scope = job.prefixScope
    this.#sampler = new Sampler(native, job, randomSeed())
    this.#logprobs = job.logprobs && new Logprobs(native, profile.bytes, job.logprobs.top)
    this.#reader = createReader(profile, job, prompt)
    this.#text = new ChoiceText(index, job.stop ?? [], (event) => this.#emit(event))
    this.#limit = Math.min(job.maxTokens ?? Number.POSITIVE_INFINITY, native.contextLength - prompt.tokens.length)
    if (constraints.answer !== undefined)
      this.#isConstrained = this.#sampler.constrain(constraints.answer, [], prompt.banned)
  }

  onStart(reused: number, own: number): void {
    this.#world.onStart(reused, own)
  }

  onPrompt(done: number): void {
    this.#world.onPrompt(done)
  }

  async draw(at: number): Promise<Drawn> {
    const drawing = this.#sampler.draw(at)
    if (this.#logprobs === undefined) return { token: await drawing }
    const finding = this.#logprobs.find(at)
    // Both come to an end before a failure of one ends this choice.
    await Promise.allSettled([drawing, finding])
    const [token, logprobOf] = [await drawing, await finding]
    return { token, logprob: await logprobOf(token) }
  }

  prepare(at: number): void {
    this.#sampler.prepare(at)
  }

  settle(): Promise<void> | undefined {
    return this.#sampler.settle()
  }

  foresee(): readonly Token[] {
    return this.#sampler.foresee()
  }

  endsAt(token: Token): boolean {
    return this.completionTokens + 1 >= this.#limit || this.#world.native.vocabulary.isEnd(token)
  }

  /** Takes the tokens that another device drew, and comes to the same state. Nothing that the client has is sent again. */
  async replay(): Promise<void> {
    const earlier = this.#earlier
    if (earlier === undefined) return
    for (const [index, token] of earlier.tokens.entries()) {
      earlier.reach(index)
      if (this.finish === undefined) await this.#replayToken(token)
    }
    if (this.#isFull && this.finish === undefined) await this.#end('length')
    earlier.end()
  }

  async next({ token, logprob }: Drawn): Promise<readonly Token[]> {
    this.#report?.add(token)
    if (this.#world.native.vocabulary.isEnd(token)) return this.#end('stop')
    await this.#take({ ...this.#piece(token), ...(logprob === undefined ? {} : { logprob }) })
    if (this.#text.isStopped) return this.#end('stop')
    const forced = await this.#cutThinking()
    if (this.#isFull) return this.#end('length')
    // A token whose log probability is held back would come without it if it were replayed.
    if (this.#report?.isDue === true && !this.#text.holdsLogprobs) this.#world.emit(this.#report.take())
    return [token, ...forced]
  }

  onEnd(error?: unknown): void {
    this.#sampler.dispose()
    this.#logprobs?.dispose()
    this.#world.onEnd(error)
  }

  async #replayToken(token: Token): Promise<void> {
    if (this.#world.native.vocabulary.isEnd(token)) return void (await this.#end('stop'))
    this.#sampler.force(token)
    await this.#take(this.#piece(token))
    if (this.#text.isStopped) await this.#end('stop')
  }

  get promptTokens(): number {
    return this.#world.prompt.tokens.length
  }

  get #isFull(): boolean {
    return this.completionTokens >= this.#limit
  }

  #emit(event: ChoiceEvent): void {
    if (this.#earlier?.covers(event) === true) return
    this.#world.emit(event.type === 'text' && this.#report !== undefined ? this.#report.attach(event) : event)
  }

  #piece(token: Token): Piece {
    const { bytes } = this.#world.profile
    return { token, position: this.completionTokens, raw: bytes.raw(token), visible: bytes.visible(token) }
  }

  async #take(piece: Piece): Promise<void> {
    this.completionTokens++
    if (this.#reader.isThinking) this.#world.onThinking(++this.thinkingTokens)
    for (const part of this.#reader.push(piece)) await this.#handle(part)
  }

  async #handle(part: ReplyPart): Promise<void> {
    if (part.type === 'content') this.#text.write(part.piece)
    if (part.type === 'calls-begun' && !this.#isConstrained) await this.#constrainCalls(part.tool)
  }

  /** When thinking has used up its tokens, ends it by inserting its end tag into the reply. */
  async #cutThinking(): Promise<readonly Token[]> {
    const { marks, thinkingBudget } = this.#world.prompt
    const { vocabulary } = this.#world.native
    if (!this.#reader.isThinking || this.thinkingTokens < thinkingBudget || marks.thinking === undefined) return []
    const tokens = vocabulary.tokenize(`\n${marks.thinking.end}\n`, true).slice(0, this.#limit - this.completionTokens)
    // Reported together: a device that continues the reply would insert the rest of them again.
    for (const token of tokens) this.#report?.add(token)
    for (const token of tokens) {
      this.#sampler.force(token)
      await this.#take(this.#piece(token))
    }
    return tokens
  }

  // A call that doesn't begin the way the template writes it continues without a grammar, and is verified at its end.
  async #constrainCalls(tool: string | undefined): Promise<void> {
    const { constraints, prompt } = this.#world
    const { lead, tokens } = this.#begun()
    const making = tool === undefined ? constraints.calls(lead) : constraints.argumentsOf(tool)
    const grammar = await making.catch(undefinedIfRejected)
    const begun = tool === undefined ? tokens : []
    this.#isConstrained = grammar !== undefined && this.#sampler.constrain(grammar, begun, prompt.banned)
  }

  /** The tokens of the calls so far, and the text in the first of them that comes before the calls. */
  #begun(): { lead: string; tokens: Token[] } {
    const pieces = this.#reader.calls
    const first = pieces.filter(({ position }) => position === pieces[0]?.position)
    const written = first.reduce((sum, { raw }) => sum + raw.length, 0)
    const whole = first[0] === undefined ? Buffer.alloc(0) : this.#world.profile.bytes.raw(first[0].token)
    const tokens = pieces.filter((piece, index) => piece.position !== pieces[index - 1]?.position)
    return { lead: whole.subarray(0, whole.length - written).toString(), tokens: tokens.map(({ token }) => token) }
  }

  async #end(reason: 'stop' | 'length'): Promise<readonly Token[]> {
    const rest = this.#reader.end(reason === 'length')
    const found = await this.#readCalls(reason)
    for (const piece of rest) this.#text.write(piece)
    // A call that can't be read is content, unless it is only a thought.
    if (found === undefined && !this.#reader.isThinking) for (const piece of this.#reader.calls) this.#text.write(piece)
    this.#text.end()
    // Before the calls: whoever has the calls has all their tokens, and doesn't need them again.
    if (this.#report?.isEmpty === false) this.#world.emit(this.#report.take())
    if (found !== undefined && found.calls.length > 0) {
      const named = found.calls.map((call) => ({ id: newCallId(), ...call }))
      this.#emit({ type: 'tool-calls', choice: this.#index, calls: named })
    }
    this.finish = found?.isCut === false ? 'tool_calls' : this.#text.isStopped ? 'stop' : reason
    return []
  }

  async #readCalls(reason: 'stop' | 'length'): Promise<CutCalls | undefined> {
    const { prompt } = this.#world
    if (reason === 'length') return this.#verify(readCutCallsOf(this.#reader, prompt) ?? this.#begunCalls())
    const calls = readCallsOf(this.#reader, prompt)
    return this.#verify(calls && { calls, isCut: false })
  }

  /** The grammar lets nothing but calls follow their beginning. */
  #begunCalls(): CutCalls | undefined {
    const isCut = this.#isConstrained && this.#reader.calls.length > 0 && !this.#reader.isThinking
    return isCut ? { calls: [], isCut } : undefined
  }

  async #verify(found: CutCalls | undefined): Promise<CutCalls | undefined> {
    if (found === undefined || this.#isConstrained) return found
    const { prompt, constraints } = this.#world
    const verified = await Promise.all(found.calls.map((call) => verifyCall(call, prompt.tools, constraints)))
    const calls = verified.filter((call) => call !== undefined)
    return calls.length < verified.length ? undefined : { ...found, calls }
  }
}

/** The grammar of all calls could be made, but with this lead it may be too large. */
function undefinedIfRejected(error: unknown): undefined {
  if (!(error instanceof GrammarRejected)) throw error
}

/**
 * Arguments that were written without a grammar are valid only if the grammar would have allowed
 * them.
 */
async function verifyCall(
  call: ReadCall,
  tools: readonly JobTool[],
  constraints: Constraints,
): Promise<ReadCall | undefined> {
  const args: unknown = JSON.parse(call.arguments)
  if (!isObject(args)) return undefined
  const order = [...readProperties(tools.find(({ name }) => name === call.name)?.parameters ?? {}).keys()]
  const sorted = Object.entries(args).toSorted(([a], [b]) => place(order, a) - place(order, b))
  const text = JSON.stringify(Object.fromEntries(sorted))
  const grammar = await constraints.argumentsOf(call.name)
  return grammar?.matches(text) === true ? { ...call, arguments: text } : undefined
}

// The grammar expects named properties in the order of the schema, then the others.
function place(order: readonly string[], name: string): number {
  const at = order.indexOf(name)
  return at < 0 ? order.length : at
}
