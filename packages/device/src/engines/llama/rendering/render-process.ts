// One process that renders templates, seen from the engine: answers one question at a time, or tells which limit ended it.

import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { untilEnded } from '@hearth/command-line/processes/child-end'
import { hearLastWord, withLifeline, type Excess } from '../../../watch/lifeline.ts'
import { ANSWER_MS } from './render-limits.ts'
import type { FromRenderer, OpenTemplates, RenderQuestion } from './render-messages.ts'

const HOST_FILE = fileURLToPath(new URL('./render-host.ts', import.meta.url))
/** Templates that llama.cpp can't handle are rendered in JavaScript. */
const HEAP_MB = 256

/** Undefined if the process ended for no reason of the template's. */
export type RenderEnd = { type: 'ended'; excess: Excess | undefined }

export class RenderProcess {
  readonly #opened = Promise.withResolvers<FromRenderer | RenderEnd>()
  readonly #child: ChildProcess
  #answer: ((answer: FromRenderer | RenderEnd) => void) | undefined
  #end: RenderEnd | undefined
  #excess: Excess | undefined

  constructor(file: string = HOST_FILE) {
    const child = fork(file, [], {
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${HEAP_MB}`],
      stdio: [...withLifeline('ignore', 'ignore')],
    })
    this.#child = child
    hearLastWord(child, (excess) => (this.#excess = excess))
    child.on('message', (answer: FromRenderer) => this.#settle(answer))
    void untilEnded(child).then(() => this.#ended())
  }

  /** The answer to the first message. */
  get opened(): Promise<FromRenderer | RenderEnd> {
    return this.#opened.promise
  }

  /** To be called once, before anything is asked. */
  open(templates: OpenTemplates): this {
    this.#opened.resolve(this.#send(templates))
    return this
  }

  get hasEnded(): boolean {
    return this.#end !== undefined
  }

  /** Never rejects. Ask again only after the answer. */
  async ask(question: RenderQuestion): Promise<FromRenderer | RenderEnd> {
    const opened = await this.opened
    return opened.type === 'open' ? this.#send(question) : opened
  }

  stop(): void {
    this.#child.kill('SIGKILL')
  }

  async #send(message: OpenTemplates | RenderQuestion): Promise<FromRenderer | RenderEnd> {
    if (this.#end !== undefined) return this.#end
    const { promise, resolve } = Promise.withResolvers<FromRenderer | RenderEnd>()
    this.#answer = resolve
    // A process that is dying takes no more messages; its end is the answer.
    this.#child.send(message, () => undefined)
    const timer = setTimeout(() => this.#giveUp(), ANSWER_MS)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
    }
  }

  #giveUp(): void {
    this.#excess = 'time'
    this.stop()
  }

  #settle(answer: FromRenderer | RenderEnd): void {
    this.#answer?.(answer)
    this.#answer = undefined
  }

  #ended(): void {
    this.#end = { type: 'ended', excess: this.#excess }
    this.#settle(this.#end)
  }
}
