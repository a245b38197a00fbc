// The one error the store throws. Its text names the action and the state and is safe to log: the database library's own errors carry the
// values of the failed query.

export type StoreErrorCode = 'conflict' | 'unknown' | 'unavailable' | 'failed'

export class StoreError extends Error {
  override name = 'StoreError'
  readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
