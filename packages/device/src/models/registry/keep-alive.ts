// How long an idle model stays in memory, in milliseconds: forever for `always`, not at all for `never`.

const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000 } as const

/** Throws an Error that says which values are valid. */
export function parseKeepAlive(text: string): number {
  if (text === 'always') return Number.POSITIVE_INFINITY
  if (text === 'never') return 0
  const [, amount, unit] = /^(\d{1,6})([smh])$/.exec(text) ?? []
  if (amount === undefined) throw new Error('use a time like 30m or 2h, always or never')
  return Number(amount) * UNITS_MS[unit as keyof typeof UNITS_MS]
}

export function formatKeepAlive(ms: number): string {
  if (ms === Number.POSITIVE_INFINITY) return 'always'
  if (ms === 0) return 'never'
  if (ms % UNITS_MS.h === 0) return `${ms / UNITS_MS.h}h`
  return ms % UNITS_MS.m === 0 ? `${ms / UNITS_MS.m}m` : `${ms / UNITS_MS.s}s`
}
