// Runs in front of every test file: measures the CPU time that the file takes, with all processes that it starts and sees ending.
//
// Unlike the time on a clock, it hardly depends on what else the machine does.

import { readFileSync } from 'node:fs'
import { afterAll, TestRunner } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** Undefined on systems that don't tell. */
    cpuSeconds?: number
  }
}

const TICKS_PER_SECOND = 100
/** utime, stime, cutime and cstime of proc(5), counted from behind the program's name. */
const FIRST_TIME = 11
const LAST_TIME = 14

function readCpuSeconds(): number | undefined {
  if (process.platform !== 'linux') return undefined
  const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ')
  const times = fields.split(' ').slice(FIRST_TIME, LAST_TIME + 1)
  return times.reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND
}

const { file } = TestRunner.getCurrentSuite()
const before = readCpuSeconds()

// This hook is registered first, so it runs last: after the file has stopped what it started.
afterAll(() => {
  const after = readCpuSeconds()
  if (before !== undefined && after !== undefined) file.meta.cpuSeconds = after - before
})
