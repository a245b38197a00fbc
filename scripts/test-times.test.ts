import { describe, expect, it } from 'vitest'
import { sumUpTimes, type TimedFile } from './test-times.ts'

function file(name: string, seconds: number, cpuSeconds?: number): TimedFile {
  return {
    relativeModuleId: name,
    diagnostic: () => ({ setupDuration: 100, collectDuration: 900, duration: 1_000 * (seconds - 1) }),
    meta: () => (cpuSeconds === undefined ? {} : { cpuSeconds }),
  }
}

describe('sumUpTimes', () => {
  it('lists the ten slowest files, slowest first, with the time that they took to start', () => {
    const files = Array.from({ length: 12 }, (_, index) => file(`${index}.test.ts`, index + 1, 0.5))
    const { lines } = sumUpTimes(files, 'npm test')
    expect(lines.slice(1, -1)).toHaveLength(10)
    expect(lines[1]).toBe('    12.0    0.5  11.test.ts')
    expect(lines[10]).toBe('     3.0    0.5  2.test.ts')
  })

  it('knows no CPU time on systems that do not tell', () => {
    expect(sumUpTimes([file('a.test.ts', 2)], 'npm test').lines[1]).toBe('     2.0      ?  a.test.ts')
  })

  it('accepts what two cores can do in the time that a run may take', () => {
    const { lines, isTooSlow } = sumUpTimes([file('a.test.ts', 1, 480), file('b.test.ts', 1, 480)], 'npm test')
    expect(lines.at(-1)).toBe('All files together: 16.0 minutes of CPU time')
    expect(isTooSlow).toBe(false)
  })

  it('warns about more, and only rejects what no busy machine explains', () => {
    const slow = sumUpTimes([file('a.test.ts', 1, 1_000)], 'npm test')
    expect(slow.lines.at(-1)).toContain('16.7 minutes of CPU time. That is too much')
    expect(slow.isTooSlow).toBe(false)
    expect(sumUpTimes([file('a.test.ts', 1, 1_500)], 'npm test').isTooSlow).toBe(true)
    expect(sumUpTimes([file('a.test.ts', 1, 1_500)], 'npm run test:long').isTooSlow).toBe(false)
  })
})
