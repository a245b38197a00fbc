// A request to create a chat completion, from its key to its job. All of them come this way, whether the body is here already or still
// arrives.

import { type Reservation, prepareChat, type ReadLimits, type Body, type ReplyOutlet } from '@hearth/chat'
import type { Caller } from '../../access/book/access-book.ts'
import { confirm } from '../../access/authenticate.ts'
import { prefixScope } from '../../access/prefix-scope.ts'
import { admitLoad, admitRequest } from '../../chat/admit.ts'
import { createCompletion, type ChatContext } from '../../chat/chat-completions.ts'
import { prepareSealed } from '../../chat/prepare-sealed.ts'
import { admitKind, type RequestKind } from '../../chat/sealing-mode.ts'
import type { LargeRequests, Prepared } from '../../chat/large-requests.ts'
import { modelOf } from '../../chat/to-ticket.ts'
import type { LoadLimit } from '../../load/load-limit.ts'
import { rejectCall, type RejectContext } from './reject-call.ts'

export interface ChatCallContext extends ChatContext, RejectContext {
  limits: ReadLimits
  largeRequests: LargeRequests
  load: LoadLimit
}

export const LARGE_BYTES = 256 * 1024
export const LARGE_VALUES = 5_000

export class ChatCall {
  /** Counts the memory of the request until its reply is over, whatever the reply is. */
  readonly reservation: Reservation
  readonly #caller: Caller
  readonly #outlet: ReplyOutlet
  readonly #context: ChatCallContext
  readonly #kind: RequestKind

  private constructor(caller: Caller, outlet: ReplyOutlet, context: ChatCallContext, kind: RequestKind) {
    this.#kind = kind
    this.#caller = caller
    this.#outlet = outlet
    this.#context = context
    this.reservation = context.budgets.requests.open(caller)
    outlet.onClose(() => this.#over())
  }

  /** Throws if the gateway or the key has reached its limit. */
  static admit(caller: Caller, outlet: ReplyOutlet, context: ChatCallContext, kind: RequestKind = 'plain'): ChatCall {
    admitLoad(caller, context.load)
    const call = new ChatCall(caller, outlet, context, kind)
    admitRequest(caller, context.limiter)
    return call
  }

  /** To be called after a wait: the key may have been revoked meanwhile. Throws if it was. */
  confirm(): void {
    confirm(this.#caller, this.#context.book)
  }

  /** Never throws: the client gets every error. */
  start(body: Body): void {
    try {
      if (isLarge(body)) void this.#startLater(body.bytes)
      else this.#submit(this.#prepare(body.bytes))
    } catch (error) {
      this.#reject(error)
    }
  }

  #prepare(bytes: Buffer): Prepared {
    const scope = prefixScope(this.#caller)
    if (this.#kind === 'sealed') return prepareSealed(bytes, this.#caller.organization, scope)
    return prepareChat(bytes, this.#context.limits, scope)
  }

  async #startLater(bytes: Buffer): Promise<void> {
    const { largeRequests } = this.#context
    const isWanted = () => !this.#outlet.isClosed
    try {
      const scope = prefixScope(this.#caller)
      const chat = await largeRequests.prepare(this.#caller.organization, bytes, isWanted, scope, this.#kind)
      if (chat === undefined) return
      this.confirm()
      this.#submit(chat)
    } catch (error) {
      this.#reject(error)
    }
  }

  #submit(chat: Prepared): void {
    if (this.#outlet.isClosed) return
    try {
      // Not before: the list of requests names the model of a rejected one, too.
      admitKind(this.#caller, this.#kind)
      createCompletion(chat, this.#caller, this.#outlet, this.reservation, this.#context)
    } catch (error) {
      this.#reject(error, modelOf(chat))
    }
  }

  #reject(error: unknown, model?: string): void {
    rejectCall(error, this.#outlet, this.#context, this.#caller, model)
  }

  #over(): void {
    this.reservation.close()
    this.#context.load.leave(this.#caller.organization)
  }
}

/** Parsing anything smaller takes a millisecond or two. */
function isLarge({ bytes, values }: Body): boolean {
  return bytes.length > LARGE_BYTES || values > LARGE_VALUES
}
