// One request with numbered tokens: when its tokens came, and how it ended. Every request has exactly one end.

import { checkNumberedText } from '@hearth/gateway/testing'
import type { Client } from '../../harness/client/client.ts'
import { readEvents } from '../../harness/client/read-stream.ts'
import type { CompletionBody, ErrorBody } from '../../harness/client/reply-shapes.ts'
import { PAIR } from '../../harness/seed.ts'

export type End =
  | { kind: 'done' }
  /** An error inside a stream. */
  | { kind: 'failed'; code: string }
  | { kind: 'rejected'; status: number; code: string }
  /** The connection to the gateway broke. */
  | { kind: 'broken' }
  /** Never allowed. */
  | { kind: 'wrong'; what: string }

export interface Question {
  client: Client
  /** The device finds its plan by this name. */
  name: string
  tokens: number
  isStream: boolean
}

/** Longer than a gateway lets a request wait. */
const HANGS_MS = 90_000

export class SentRequest {
  readonly question: Question
  readonly askedAt = performance.now()
  /** When something came: tokens that arrive together count once. */
  readonly arrivals: number[] = []
  readonly ended: Promise<End>
  end: End | undefined
  readonly #first = Promise.withResolvers<boolean>()
  #text = ''

  constructor(question: Question) {
    this.question = question
    this.ended = this.#run()
  }

  /** Resolves with false if the request ended without a token. */
  get first(): Promise<boolean> {
    return this.#first.promise
  }

  /** The longest time without a token that ended after this moment. */
  longestGapSince(moment: number): number {
    const { arrivals, askedAt } = this
    const gaps = arrivals.map((at, index) => (at < moment ? 0 : at - (arrivals[index - 1] ?? askedAt)))
    return Math.max(0, ...gaps)
  }

  async #run(): Promise<End> {
    this.end = await this.#read()
    this.#first.resolve(false)
    return this.end
  }

  async #read(): Promise<End> {
    const { client, name, isStream } = this.question
    const hangs = AbortSignal.timeout(HANGS_MS)
    try {
      const body = { model: PAIR, messages: [{ role: 'user', content: name }], stream: isStream }
      // So that a balancer chooses a gateway for every request.
      const headers = { connection: 'close' }
      const response = await client.fetch('/chat/completions', { body, headers, signal: hangs })
      if (!response.ok) return rejected(response.status, await response.text())
      return isStream ? await this.#readStream(response) : await this.#readWhole(response)
    } catch (error) {
      if (hangs.aborted) return { kind: 'wrong', what: `no end after ${HANGS_MS / 1_000} s` }
      return isBroken(error) ? this.#checkPrefix({ kind: 'broken' }) : { kind: 'wrong', what: String(error) }
    }
  }

  async #readStream(response: Response): Promise<End> {
    let end: End | undefined
    for await (const event of readEvents(response.body!)) {
      if (end !== undefined) return { kind: 'wrong', what: `something after the end: ${JSON.stringify(event)}` }
      if (event.kind === 'error') end = { kind: 'failed', code: event.error.code }
      else if (event.kind === 'done') end = this.#checkWhole()
      else this.#arrived(event.chunk.choices[0]?.delta.content ?? '')
    }
    return this.#checkPrefix(end ?? { kind: 'wrong', what: 'the stream ended without an end' })
  }

  async #readWhole(response: Response): Promise<End> {
    const { choices } = (await response.json()) as CompletionBody
    this.#arrived(choices[0]!.message.content)
    return this.#checkWhole()
  }

  #arrived(text: string): void {
    if (text === '') return
    this.#text += text
    this.arrivals.push(performance.now())
    this.#first.resolve(true)
  }

  #checkWhole(): End {
    const { tokens } = this.question
    const found = checkNumberedText(this.#text)
    return found === tokens ? { kind: 'done' } : { kind: 'wrong', what: `${found} of ${tokens} tokens` }
  }

  /** Without a good end, the client has a prefix. */
  #checkPrefix(end: End): End {
    try {
      checkNumberedText(this.#text)
      return end
    } catch (error) {
      return { kind: 'wrong', what: String(error) }
    }
  }
}

function rejected(status: number, text: string): End {
  return { kind: 'rejected', status, code: (JSON.parse(text) as ErrorBody).error.code }
}

/** As fetch says it, before and after the headers. */
function isBroken(error: unknown): boolean {
  return error instanceof TypeError && /fetch failed|terminated/.test(error.message)
}
