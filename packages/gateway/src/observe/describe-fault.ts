// Describes an unexpected error for the log: where it happened, but not its message, which may quote content (a JSON parser's does).

export function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const cause = error.cause instanceof Error && 'code' in error.cause ? ` (${String(error.cause.code)})` : ''
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? []
  return `${error.name}${cause} ${frames.slice(0, 6).join(' ').trim()}`
}
