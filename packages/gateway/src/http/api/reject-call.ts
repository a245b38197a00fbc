// Every error of the API ends here: the client gets it in the reference API's format, and the ledger gets the calls of known keys.

import { sendError, ApiError, toApiError, type ApiErrorCode, type ReplyOutlet } from '@hearth/chat'
import type { ClientIds } from '@hearth/protocol'
import type { Caller } from '../../access/book/access-book.ts'
import type { OnInternalError } from '../explain-fault.ts'

export interface RejectContext {
  /** Called when a request with a known key is rejected before it becomes a job. */
  onRejected: (rejected: RejectedCall) => void
  onInternalError: OnInternalError
}

export interface RejectedCall {
  requestId: string
  client: ClientIds | undefined
  caller: Caller
  /** As the client wrote it; empty if it is not known. */
  model: string
  code: ApiErrorCode
}

export function rejectCall(
  thrown: unknown,
  outlet: ReplyOutlet,
  { onRejected, onInternalError }: RejectContext,
  caller?: Caller,
  model?: string,
): void {
  if (!(thrown instanceof ApiError)) onInternalError(thrown, outlet.requestId)
  if (outlet.status !== 0) return
  const error = toApiError(thrown)
  sendError(outlet, error)
  const { requestId, client } = outlet
  if (caller) onRejected({ requestId, client, caller, model: model ?? error.model ?? '', code: error.code })
}
