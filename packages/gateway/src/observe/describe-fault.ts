// What may be written about an error that nobody expected: where it happened, never what was being handled. An error's message may quote
// its input, as that of a JSON parser does.

export function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const cause = error.cause instanceof Error && 'code' in error.cause ? ` (${String(error.cause.code)})` : ''
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? []
  return `${error.name}${cause} ${frames.slice(0, 6).join(' ').trim()}`
}
