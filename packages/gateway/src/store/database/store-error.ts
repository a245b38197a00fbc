// The only error that the store throws. Its message is safe to log, unlike the database library's own errors, which contain the values of
// the failed query.

export type StoreErrorCode = 'conflict' | 'unknown' | 'unavailable' | 'busy' | 'limit' | 'outdated' | 'failed'

export class StoreError extends Error {
  override name = 'StoreError'
  readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
