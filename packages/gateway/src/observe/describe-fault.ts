// Describes an unexpected error for the log: where it happened, but not its message, which may quote content (a JSON parser's does).

import { errorCode } from '../error-code.ts'

export function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const code = errorCode(error.cause) ?? errorCode(error)
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? []
  return `${error.name}${code === undefined ? '' : ` (${code})`} ${frames.slice(0, 6).join(' ').trim()}`
}
