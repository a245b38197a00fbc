// Describes an unexpected error for the log: where it happened, but not its message, which may quote content (a JSON parser's does).

export function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const code = [error.cause, error].map(codeOf).find((found) => found !== '') ?? ''
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? []
  return `${error.name}${code} ${frames.slice(0, 6).join(' ').trim()}`
}

/** A short name from the system or the database, such as ENOSPC. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
}
