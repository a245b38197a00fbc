// What went wrong, as far as whoever asked may know it.

import { ApiError } from '../errors.ts'
import { StoreError, type StoreErrorCode } from '../store/store-error.ts'

/** Undefined for what is our own fault and nobody else's business. */
export function readFault(thrown: unknown): ApiError | undefined {
  if (thrown instanceof ApiError) return thrown
  return thrown instanceof StoreError ? STORE_FAULTS[thrown.code]?.() : undefined
}

const STORE_FAULTS: Record<StoreErrorCode, (() => ApiError) | undefined> = {
  conflict: () => new ApiError('conflict', 'It exists already, or was changed in the meantime. Look again'),
  unknown: () => new ApiError('not_found', 'It refers to something that does not exist'),
  unavailable: storeSilent,
  failed: undefined,
}

export function storeSilent(): ApiError {
  return new ApiError('service_unavailable', 'The store does not answer at the moment. Try again', null, {
    'retry-after': '2',
  })
}
