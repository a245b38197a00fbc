// Formats numbers for people: the one place that does, in terminals and in the console.

const GIB = 1024 ** 3
const UNITS = ['B', 'KB', 'MB', 'GB', 'TB']

/** Of files, downloads and disks. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`
}

/** Memory is sold by powers of two, and called GB. */
export function formatMemory(bytes: number): string {
  const value = bytes / GIB
  if (value < 1) return formatBytes(bytes)
  return `${value >= 4 ? Math.round(value) : Math.round(value * 10) / 10} GB`
}

/** Context length in the usual shorthand: 32768 is 32K. */
export function formatContext(tokens: number): string {
  if (tokens < 1024) return String(tokens)
  const thousands = tokens % 1024 === 0 ? tokens / 1024 : tokens / 1000
  return thousands >= 1000 ? `${trim(thousands / 1000)}M` : `${trim(thousands)}K`
}

function trim(value: number): string {
  return String(Math.round(value * 10) / 10)
}

/** Tokens per second that were measured. */
export function formatSpeed(tokensPerSecond: number): string {
  return tokensPerSecond >= 10 ? String(Math.round(tokensPerSecond)) : tokensPerSecond.toFixed(1)
}

/** "12 s", "3 min", "1 h 5 min" */
export function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${Math.max(0, Math.round(seconds))} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  if (minutes >= 48 * 60) return `${Math.round(seconds / 86_400)} days`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export function formatCount(value: number): string {
  return value.toLocaleString('en-US')
}

/** 1 job, 2 jobs */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}
