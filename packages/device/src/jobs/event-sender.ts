// Sends the events of one job as numbered frames. Fast text is held back for a moment and sent together; slow text is sent at once.

import {
  DELTA_BYTES,
  DELTA_MS,
  type ChatEvent,
  type JobAttempt,
  type JobDelta,
  type TokenLogprob,
} from '@hearth/protocol'
import type { Clock } from '../clock.ts'
import type { OpenLink } from '../link/run-link.ts'

type TextEvent = Extract<ChatEvent, { type: 'text' }>
type EndEvent = Extract<ChatEvent, { type: 'end' }>
type Held = Omit<JobDelta, 'sequence' | 'ids'> & { ids?: number[] }

/** The approximate size of one token with its log probability in a frame. */
const LOGPROB_BYTES = 64
const ID_BYTES = 6

export class EventSender {
  readonly #attempt: JobAttempt
  readonly #link: OpenLink
  readonly #clock: Clock
  readonly #bareId: boolean
  #sequence = 0
  #sentAt = Number.NEGATIVE_INFINITY
  /** At most one per choice: only the order within a choice matters. */
  #held: Held[] = []
  #heldBytes = 0
  #disarm: (() => void) | undefined

  /** With `bareId`, the id of a single token is sent without a list. */
  constructor(attempt: JobAttempt, link: OpenLink, clock: Clock, bareId = false) {
    this.#attempt = { job: attempt.job, attempt: attempt.attempt }
    this.#link = link
    this.#clock = clock
    this.#bareId = bareId
  }

  push(event: Exclude<ChatEvent, EndEvent>): void {
    if (event.type === 'text') return this.#pushText(event)
    this.flush()
    this.#sentAt = this.#clock.now()
    const place = { ...this.#attempt, sequence: this.#sequence++, choice: event.choice }
    if (event.type === 'tool-calls') this.#link.send({ type: 'job-calls', ...place, calls: event.calls })
    else this.#link.send({ type: 'job-annotations', ...place, annotations: event.annotations })
  }

  end({ finishes, usage }: EndEvent): void {
    this.flush()
    const sequence = this.#sequence++
    this.#link.send({
      type: 'job-end',
      ...this.#attempt,
      sequence,
      finishes,
      ...(usage === undefined ? {} : { usage }),
    })
  }

  flush(): void {
    const held = this.#held
    this.drop()
    if (held.length === 0) return
    for (const delta of held) this.#link.send({ ...delta, ...this.#idsOf(delta), sequence: this.#sequence++ })
    this.#sentAt = this.#clock.now()
  }

  /** Drops what is held back: nobody needs it any more. */
  drop(): void {
    this.#disarm?.()
    this.#disarm = undefined
    this.#held = []
    this.#heldBytes = 0
  }

  #idsOf({ ids }: Held): Pick<JobDelta, 'ids'> {
    if (ids === undefined) return {}
    const only = this.#bareId && ids.length === 1 ? ids[0] : undefined
    return { ids: only ?? ids }
  }

  #pushText(event: TextEvent): void {
    this.#hold(event)
    const waitedMs = this.#clock.now() - this.#sentAt
    if (waitedMs >= DELTA_MS || this.#heldBytes >= DELTA_BYTES) this.flush()
    else this.#disarm ??= this.#clock.after(DELTA_MS - waitedMs, () => this.flush())
  }

  #hold({ choice, text, tokens, logprobs, ids }: TextEvent): void {
    this.#heldBytes += Buffer.byteLength(text) + sizeOf(logprobs) + ID_BYTES * (ids?.length ?? 0)
    const held = this.#held.find((delta) => delta.choice === choice)
    if (held === undefined) {
      const counted = tokens === undefined ? {} : { tokens }
      const delta: Held = { type: 'job-delta', ...this.#attempt, choice, text, ...counted }
      if (logprobs !== undefined) delta.logprobs = [...logprobs]
      if (ids !== undefined) delta.ids = [...ids]
      this.#held.push(delta)
      return
    }
    held.text += text
    if (tokens !== undefined) held.tokens = (held.tokens ?? 0) + tokens
    if (logprobs !== undefined) (held.logprobs ??= []).push(...logprobs)
    if (ids !== undefined) (held.ids ??= []).push(...ids)
  }
}

function sizeOf(logprobs: readonly TokenLogprob[] | undefined): number {
  return (logprobs ?? []).reduce((bytes, { top }) => bytes + LOGPROB_BYTES * (1 + top.length), 0)
}
