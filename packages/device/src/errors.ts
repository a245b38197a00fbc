// What a person at the terminal is told when something cannot be done: what was wrong, and what to do about it. Printed without a stack.

export class DeviceError extends Error {
  override name = 'DeviceError'
  /** What to do next, as a sentence or a command line. */
  readonly advice: string | undefined

  constructor(message: string, advice?: string, options?: ErrorOptions) {
    super(message, options)
    this.advice = advice
  }
}

/** The disk, not the source, is at fault: another source would not help. */
export class StorageError extends DeviceError {
  override name = 'StorageError'
}

/** The message of anything thrown, with the causes that Node's network errors hide their reason in. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof AggregateError && error.errors.length > 0) return describeError(error.errors[0])
  const cause = error.cause === undefined ? '' : describeError(error.cause)
  return cause === '' || error.message.includes(cause) ? error.message : `${error.message}: ${cause}`
}
