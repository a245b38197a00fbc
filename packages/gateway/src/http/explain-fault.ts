import { toApiError, type ApiError } from '@hearth/chat'
import { readFault } from '../access/read-fault.ts'

/** Gets internal errors and the request or device concerned. Their messages never reach a client. */
export type OnInternalError = (error: unknown, where: string) => void

/** The error that the client gets. A mistake of our own is reported, and the client learns only that there was one. */
export function explainFault(thrown: unknown, where: string, onInternalError: OnInternalError): ApiError {
  const fault = readFault(thrown)
  if (!fault) onInternalError(thrown, where)
  return fault ?? toApiError(thrown)
}
