// Renders a model's chat templates in another process, and has it tokenize the prompt. Conversations take turns. One that takes long keeps its process to itself, and the
// others go on in a new one, so that a template that never ends holds up only the conversation that it never ends on.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { EngineError } from '../../engine.ts'
import type { TemplateInput } from '../template/chat-template.ts'
import { MOST_SLOW, SLOW_MS, TOKENIZE_CPU_MS } from './render-limits.ts'
import type { FromRenderer, OpenTemplates, RenderQuestion, TemplateKind, WrittenPrompt } from './render-messages.ts'
import { RenderProcess, type RenderEnd } from './render-process.ts'
import type { TemplateStudy } from './study-templates.ts'
import { TemplateFailure, type TemplateOrigin } from './template-failure.ts'

type Answer = FromRenderer | RenderEnd | { type: 'untokenizable' }

const UNTOKENIZABLE = `It took more than ${TOKENIZE_CPU_MS / 1_000} seconds or too much memory to turn these messages into tokens. Make them shorter, or break up long runs of spaces or line breaks.`

interface Task {
  question: RenderQuestion
  resolve: (answer: Answer) => void
}

export type StartProcess = (templates: OpenTemplates) => RenderProcess

export class Renderer {
  readonly #templates: OpenTemplates
  readonly #origin: TemplateOrigin
  readonly #start: StartProcess
  readonly #waiting: Task[] = []
  readonly #slow = new Set<RenderProcess>()
  #current: RenderProcess | undefined
  /** Has come back from a long conversation, and is ready for when the next one keeps the current process to itself. */
  #spare: RenderProcess | undefined
  #isBusy = false
  #isClosed = false

  constructor(
    templates: OpenTemplates,
    origin: TemplateOrigin,
    start: StartProcess = (templates) => new RenderProcess().open(templates),
  ) {
    this.#templates = templates
    this.#origin = origin
    this.#start = start
  }

  /** Throws EngineError. */
  async study(): Promise<TemplateStudy> {
    const answer = await this.#ask({ type: 'study' })
    if (answer.type !== 'studied') throw this.#failure(answer)
    return answer.study
  }

  /** Throws EngineError. */
  async render(kind: TemplateKind, input: TemplateInput): Promise<WrittenPrompt> {
    // In a turn of its own: a long conversation took a while to arrive, and takes as long to be sent on. Streams go on in between.
    await nextTurn()
    const answer = await this.#ask({ type: 'render', kind, input })
    if (answer.type !== 'tokenized' && answer.type !== 'too-long') throw this.#failure(answer)
    return answer
  }

  /** Conversations that have begun are still rendered. */
  close(): void {
    this.#isClosed = true
    this.#next()
  }

  #ask(question: RenderQuestion): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>()
    this.#waiting.push({ question, resolve })
    this.#next()
    return promise
  }

  #next(): void {
    if (this.#isBusy) return
    const task = this.#waiting.shift()
    if (task !== undefined) {
      this.#isBusy = true
      this.#current ??= this.#takeSpare() ?? this.#start(this.#templates)
      void this.#carryOut(this.#current, task)
    } else if (this.#isClosed) {
      this.#current?.stop()
      this.#current = undefined
      this.#takeSpare()?.stop()
    }
  }

  #takeSpare(): RenderProcess | undefined {
    const spare = this.#spare
    this.#spare = undefined
    return spare?.hasEnded === false ? spare : undefined
  }

  async #carryOut(process: RenderProcess, { question, resolve }: Task): Promise<void> {
    await process.opened
    const timer = setTimeout(() => this.#passBy(process), SLOW_MS)
    const answer = await process.ask(question)
    resolve(answer.type === 'rendered' ? await tokensFrom(process) : answer)
    clearTimeout(timer)
    if (this.#slow.delete(process)) return this.#takeBack(process)
    if (process.hasEnded) this.#current = undefined
    this.#isBusy = false
    this.#next()
  }

  #takeBack(process: RenderProcess): void {
    if (this.#isClosed || process.hasEnded) process.stop()
    else if (this.#current === undefined) this.#current = process
    else if (this.#spare === undefined) this.#spare = process
    else process.stop()
  }

  #passBy(process: RenderProcess): void {
    if (this.#slow.size >= MOST_SLOW) return
    this.#slow.add(process)
    this.#current = undefined
    this.#isBusy = false
    this.#next()
  }

  #failure(answer: Answer): EngineError {
    if (answer.type === 'untokenizable') return new EngineError('invalid_value', UNTOKENIZABLE, { param: 'messages' })
    if (answer.type === 'failed' && answer.failure !== 'vocabulary')
      return new TemplateFailure(this.#origin, answer.failure)
    if (answer.type === 'ended' && answer.excess !== undefined) return new TemplateFailure(this.#origin, answer.excess)
    const why =
      answer.type === 'failed'
        ? "The vocabulary in the model's file can't be read any more"
        : 'The process that renders chat templates stopped unexpectedly'
    return new EngineError('failed', why, { retryable: true })
  }
}

async function tokensFrom(process: RenderProcess): Promise<Answer> {
  const answer = await process.ask({ type: 'tokenize' })
  return answer.type === 'ended' && answer.excess !== undefined ? { type: 'untokenizable' } : answer
}
