// Questions to other gateways, and their answers. A gateway that can't be reached has no answer.

import type { Answer, Message, Question } from './peer-link/messages.ts'

export interface AsksOptions {
  self: string
  send: (to: string, message: Message) => void
  isReachable: (replica: string) => boolean
  /** Answers for this gateway. */
  answer: (question: Question) => Promise<Answer>
}

interface Asked {
  replica: string
  settle(answer: Answer | undefined): void
}

type AnswerTo<Kind extends Question['kind']> = Extract<Answer, { kind: Kind }>
type QuestionOf<Kind extends Question['kind']> = Extract<Question, { kind: Kind }>

/** A device may take 45 s to answer about its models. */
const ANSWER_MS = 50_000

export class Asks {
  readonly #options: AsksOptions
  readonly #asked = new Map<number, Asked>()
  #count = 0

  constructor(options: AsksOptions) {
    this.#options = options
  }

  /** The answers of those that have one. */
  async ask<Kind extends Question['kind']>(
    replicas: readonly string[],
    question: QuestionOf<Kind>,
  ): Promise<AnswerTo<Kind>[]> {
    const answers = await Promise.all(replicas.map((replica) => this.#askOne(replica, question)))
    return answers.filter((answer) => answer?.kind === question.kind) as AnswerTo<Kind>[]
  }

  async #askOne(replica: string, question: Question): Promise<Answer | undefined> {
    const { self, send, isReachable, answer } = this.#options
    if (replica === self) return answer(question)
    if (!isReachable(replica)) return undefined
    const { promise, resolve } = Promise.withResolvers<Answer | undefined>()
    const id = (this.#count += 1)
    const timer = setTimeout(() => resolve(undefined), ANSWER_MS).unref()
    this.#asked.set(id, { replica, settle: resolve })
    send(replica, { type: 'ask', id, question })
    return promise.finally(() => {
      clearTimeout(timer)
      this.#asked.delete(id)
    })
  }

  /** Another gateway asks. */
  async asked(from: string, id: number, question: Question): Promise<void> {
    this.#options.send(from, { type: 'answer', id, answer: await this.#options.answer(question) })
  }

  answered(from: string, id: number, answer: Answer): void {
    const asked = this.#asked.get(id)
    if (asked?.replica === from) asked.settle(answer)
  }

  replicaLost(replica: string): void {
    for (const asked of this.#asked.values()) if (asked.replica === replica) asked.settle(undefined)
  }
}
