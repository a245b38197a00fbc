// How long test files took, and whether a run has become too slow.

/** The part of vitest's finished test file that tells its times. */
export interface TimedFile {
  relativeModuleId: string
  /** In milliseconds. */
  diagnostic(): { setupDuration: number; collectDuration: number; duration: number }
  meta(): { cpuSeconds?: number }
}

/** How long a run may take on two quiet cores. */
const MOST_MINUTES = { 'npm test': 8, 'npm run test:long': 20 }
const CORES = 2
/** The same work takes more CPU time on a busy machine. Only a run far beyond its budget fails. */
const FAR_BEYOND = 1.5
const LISTED = 10

export type Run = keyof typeof MOST_MINUTES

export interface SpentTime {
  lines: string[]
  isTooSlow: boolean
}

/** The slowest files, and the CPU time of all files together. */
export function sumUpTimes(files: readonly TimedFile[], run: Run): SpentTime {
  const cpuSeconds = files.reduce((sum, file) => sum + (file.meta().cpuSeconds ?? 0), 0)
  const mostSeconds = MOST_MINUTES[run] * 60 * CORES
  return {
    lines: [...slowestLines(files), ...budgetLines(cpuSeconds, mostSeconds, run)],
    isTooSlow: cpuSeconds > mostSeconds * FAR_BEYOND,
  }
}

function slowestLines(files: readonly TimedFile[]): string[] {
  const times = files.map((file) => ({ file, seconds: secondsOf(file) }))
  const slowest = times.toSorted((a, b) => b.seconds - a.seconds).slice(0, LISTED)
  return ['The slowest test files (seconds, and seconds of CPU time):', ...slowest.map(fileLine)]
}

/** Most end-to-end tests start what they need while they are collected. */
function secondsOf(file: TimedFile): number {
  const { setupDuration, collectDuration, duration } = file.diagnostic()
  return (setupDuration + collectDuration + duration) / 1_000
}

function fileLine({ file, seconds }: { file: TimedFile; seconds: number }): string {
  const cpu = file.meta().cpuSeconds?.toFixed(1) ?? '?'
  return `  ${seconds.toFixed(1).padStart(6)} ${cpu.padStart(6)}  ${file.relativeModuleId}`
}

function budgetLines(cpuSeconds: number, mostSeconds: number, run: Run): string[] {
  const total = `All files together: ${(cpuSeconds / 60).toFixed(1)} minutes of CPU time`
  if (cpuSeconds <= mostSeconds) return [total]
  const limit = `${run} may take ${mostSeconds / 60}, ${MOST_MINUTES[run]} minutes on two quiet cores`
  return [`${total}. That is too much: ${limit}. Make tests cheaper, or move some to *.long.test.ts`]
}
