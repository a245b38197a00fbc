import type { ContentKey } from '../box/derive-key.ts'
import { isCount } from '../fields.ts'
import { MAX_ATTEMPT } from '../limits.ts'
import { AttemptOpener, type OpenedEvent, type OpenEventReason } from './attempt-opener.ts'
import { EMPTY_TRANSCRIPT, type Transcript } from './transcript.ts'

type State =
  | { kind: 'between-attempts'; after: number; transcript: Transcript }
  | { kind: 'in-attempt'; opener: AttemptOpener }
  /** Something didn't fit, so whatever follows can't be trusted either. */
  | { kind: 'broken'; reason: OpenEventReason }

/** Opens the events of a reply, on the client. They come in order, over one attempt or several, or not at all. */
export class EventOpener {
  readonly #contentKey: ContentKey
  #state: State = { kind: 'between-attempts', after: -1, transcript: EMPTY_TRANSCRIPT }

  constructor(contentKey: ContentKey) {
    this.#contentKey = contentKey
  }

  /** `box` is base64. Events of a later attempt continue the reply where the one before stopped. */
  open({ attempt, sequence, box }: { attempt: number; sequence: number; box: string }): OpenedEvent {
    return this.#withAttempt(attempt, (opener) => opener.open(sequence, box))
  }

  openError({ attempt, box }: { attempt: number; box: string }): OpenedEvent {
    return this.#withAttempt(attempt, (opener) => opener.openError(box))
  }

  /** The next attempt answers from the beginning. */
  restart(): void {
    const state = this.#state
    if (state.kind === 'broken') return
    const after = state.kind === 'in-attempt' ? state.opener.number : state.after
    this.#state = { kind: 'between-attempts', after, transcript: EMPTY_TRANSCRIPT }
  }

  #withAttempt(attempt: number, open: (opener: AttemptOpener) => OpenedEvent): OpenedEvent {
    const opener = this.#enter(attempt)
    const result = opener ? open(opener) : this.#rejection()
    if (result.kind === 'rejected') this.#state = { kind: 'broken', reason: result.reason }
    return result
  }

  /** Undefined if no box of this attempt may come now. */
  #enter(attempt: number): AttemptOpener | undefined {
    const state = this.#state
    if (state.kind === 'broken' || !isCount(attempt, 0, MAX_ATTEMPT)) return undefined
    if (state.kind === 'in-attempt' && state.opener.number === attempt) return state.opener
    const { after, transcript } =
      state.kind === 'in-attempt' ? { after: state.opener.number, transcript: state.opener.end() } : state
    if (attempt <= after) return undefined
    const opener = new AttemptOpener({ contentKey: this.#contentKey, attempt, transcript })
    this.#state = { kind: 'in-attempt', opener }
    return opener
  }

  #rejection(): OpenedEvent {
    return { kind: 'rejected', reason: this.#state.kind === 'broken' ? this.#state.reason : 'out-of-order' }
  }
}
