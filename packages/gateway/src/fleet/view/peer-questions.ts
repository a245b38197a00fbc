// Questions to other gateways, and their answers. A gateway that can't be reached has no answer.

import { AtOnce } from '../../at-once.ts'
import type { Gateways } from '../ports/gateways.ts'
import type { Answer, Message, Question } from '../terms/messages.ts'

export interface PeerQuestionsOptions {
  gateways: Gateways
  send: (to: string, message: Message) => void
  /** Answers for this gateway. */
  answer: (question: Question) => Promise<Answer>
}

interface OpenQuestion {
  peer: string
  settle(answer: Answer | undefined): void
}

type AnswerTo<Kind extends Question['kind']> = Extract<Answer, { kind: Kind }>
type QuestionOf<Kind extends Question['kind']> = Extract<Question, { kind: Kind }>

/** A device may take 45 s to answer about its models. */
export const PEER_ANSWER_MS = 50_000

/** Of one gateway at a time. Its people have at most a few hundred calls open. */
export const MOST_ANSWERING = 1_000

export class PeerQuestions {
  readonly #options: PeerQuestionsOptions
  readonly #asked = new Map<number, OpenQuestion>()
  readonly #answering = new AtOnce()
  #count = 0

  constructor(options: PeerQuestionsOptions) {
    this.#options = options
  }

  /** The answers of those that have one. */
  async ask<Kind extends Question['kind']>(
    peers: readonly string[],
    question: QuestionOf<Kind>,
  ): Promise<AnswerTo<Kind>[]> {
    const answers = await Promise.all(peers.map((peer) => this.#askOne(peer, question)))
    return answers.filter((answer) => answer?.kind === question.kind) as AnswerTo<Kind>[]
  }

  async #askOne(peer: string, question: Question): Promise<Answer | undefined> {
    const { gateways, send, answer } = this.#options
    if (peer === gateways.self) return answer(question)
    if (!gateways.isReachable(peer)) return undefined
    const { promise, resolve } = Promise.withResolvers<Answer | undefined>()
    const id = (this.#count += 1)
    const timer = setTimeout(() => resolve(undefined), PEER_ANSWER_MS).unref()
    this.#asked.set(id, { peer, settle: resolve })
    send(peer, { type: 'question', id, question })
    return promise.finally(() => {
      clearTimeout(timer)
      this.#asked.delete(id)
    })
  }

  /** Another gateway questions. One that has too many questions open gets no answer, like from a gateway that can't be reached. */
  async asked(from: string, id: number, question: Question): Promise<void> {
    const leave = this.#answering.enter(from, MOST_ANSWERING)
    if (leave === undefined) return
    try {
      this.#options.send(from, { type: 'answer', id, answer: await this.#options.answer(question) })
    } finally {
      leave()
    }
  }

  answered(from: string, id: number, answer: Answer): void {
    const asked = this.#asked.get(id)
    if (asked?.peer === from) asked.settle(answer)
  }

  peerLost(peer: string): void {
    for (const asked of this.#asked.values()) if (asked.peer === peer) asked.settle(undefined)
  }
}
