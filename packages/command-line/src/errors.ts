// Errors for the person at the terminal: what went wrong and what to do about it. Printed without a stack trace.

export class CommandError extends Error {
  override name = 'CommandError'
  /** The next step, as a sentence or a command line. */
  readonly advice: string | undefined

  constructor(message: string, advice?: string, options?: ErrorOptions) {
    super(message, options)
    this.advice = advice
  }
}

/** The disk is the problem, not the source, so trying another source would not help. */
export class StorageError extends CommandError {
  override name = 'StorageError'
}

/** The message of anything thrown, including its causes: Node's network errors hide the reason there. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof AggregateError && error.errors.length > 0) return describeError(error.errors[0])
  const cause = error.cause === undefined ? '' : describeError(error.cause)
  return cause === '' || error.message.includes(cause) ? error.message : `${error.message}: ${cause}`
}

/** The same, with the next step. */
export function explainError(error: unknown): string {
  const advice = error instanceof CommandError && error.advice !== undefined ? ` → ${error.advice}` : ''
  return `${describeError(error)}${advice}`
}
