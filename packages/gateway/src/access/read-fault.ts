// Turns an internal error into the part of it that a caller may see.

import { ApiError } from '@hearth/chat'
import { SecretKeyError } from './keyring/secret-key-error.ts'
import { StoreError, type StoreErrorCode } from '../store/database/store-error.ts'

/** Undefined for internal errors, which callers must not see. */
export function readFault(thrown: unknown): ApiError | undefined {
  if (thrown instanceof ApiError) return thrown
  if (thrown instanceof SecretKeyError) return otherKey()
  return thrown instanceof StoreError ? STORE_FAULTS[thrown.code]?.(thrown) : undefined
}

const STORE_FAULTS: Record<StoreErrorCode, ((error: StoreError) => ApiError) | undefined> = {
  conflict: () =>
    new ApiError('conflict', 'This already exists, or someone changed it in the meantime. Reload and try again.'),
  unknown: () => new ApiError('not_found', 'The request refers to something that does not exist.'),
  unavailable: storeSilent,
  busy: storeBusy,
  limit: ({ message }) => new ApiError('quota_exceeded', message),
  outdated: otherKey,
  failed: undefined,
}

export function storeSilent(): ApiError {
  return new ApiError(
    'database_unavailable',
    'The database is not answering, so nothing can be read or saved right now. Try again in a few seconds.',
    null,
    { 'retry-after': '2' },
  )
}

function storeBusy(): ApiError {
  return new ApiError('service_unavailable', 'The database is busy. Try again in a few seconds.', null, {
    'retry-after': '2',
  })
}

function otherKey(): ApiError {
  return new ApiError(
    'service_unavailable',
    "Your second factor can't be read with the key of this gateway. Ask its operator to look into the log: it says what to do.",
  )
}
