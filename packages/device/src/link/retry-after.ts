// Parses the Retry-After header: seconds, or a date.

export function readRetryAfter(value: string | undefined, now = Date.now()): { retryAfterMs?: number } {
  if (value === undefined) return {}
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isFinite(ms) ? { retryAfterMs: Math.max(0, ms) } : {}
}
