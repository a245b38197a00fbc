// What a device of a fleet does with its jobs: it reads what it doesn't hold of a prompt, then writes, each at its own speed. The answers are
// always the same words, so that another device can continue one.

import { setTimeout as sleep } from 'node:timers/promises'
import type { JobPlan, Machine } from '@hearth/gateway/testing'
import type { ChatJob } from '@hearth/protocol'
import { TOKENS } from '../gateway/tokens.ts'
import { tokensOf } from './requests.ts'

/** Since the last report. */
export interface EngineCounts {
  jobs: number
  /** Of those, the ones that another device had begun. */
  continued: number
  promptCharacters: number
  /** Those that another device of the fleet holds, and this one had to read. */
  readAgain: number
}

const NONE: EngineCounts = { jobs: 0, continued: 0, promptCharacters: 0, readAgain: 0 }
/** What any device of this process has read. */
const known = new Set<string>()

export class PacedEngine {
  readonly #machine: Machine
  /** The conversations it has read, up to each message. It forgets none. */
  readonly #held = new Set<string>()
  #writing = 0
  #counts = { ...NONE }

  constructor(machine: Machine) {
    this.#machine = machine
  }

  readonly plan = (request: ChatJob): JobPlan => {
    const tokens = tokensOf(request)
    const characters = request.messages.reduce((sum, { content }) => sum + content.length, 0)
    let due: number | undefined
    return {
      text: Array.from({ length: tokens }, (_, index) => TOKENS[index % TOKENS.length]!),
      reportsTokens: true,
      usage: { promptTokens: Math.ceil(characters / 4), completionTokens: tokens },
      beforeTokens: async () => {
        due ??= await this.#read(request)
        due = await this.#write(due)
      },
    }
  }

  report(): EngineCounts {
    const counts = this.#counts
    this.#counts = { ...NONE }
    return counts
  }

  /** Resolves with the moment when the prompt is read, which a timer never meets exactly. */
  async #read({ messages, recovery }: ChatJob): Promise<number> {
    const begun = recovery?.choices?.[0]?.length ?? 0
    const { all, held, heldByAny } = this.#measure(messages.map(({ content }) => content))
    this.#counts.jobs += 1
    this.#counts.continued += begun > 0 ? 1 : 0
    this.#counts.promptCharacters += all
    this.#counts.readAgain += heldByAny - held
    return until(performance.now() + (all - held + begun) * this.#machine.msPerCharacter)
  }

  /** What is read counts as held at once: the next turn may come before the end. */
  #measure(contents: readonly string[]): { all: number; held: number; heldByAny: number } {
    let text = ''
    let held = 0
    let heldByAny = 0
    for (const content of contents) {
      text += content
      if (this.#held.has(text)) held = text.length
      if (known.has(text)) heldByAny = text.length
      this.#held.add(text)
      known.add(text)
    }
    return { all: text.length, held, heldByAny }
  }

  /** One token, slower with more jobs beside each other. */
  async #write(from: number): Promise<number> {
    const { msPerToken, beside } = this.#machine
    const due = from + msPerToken * (1 + beside * this.#writing)
    this.#writing += 1
    await until(due)
    this.#writing -= 1
    return due
  }
}

async function until(due: number): Promise<number> {
  const left = due - performance.now()
  if (left > 0) await sleep(left)
  return due
}
