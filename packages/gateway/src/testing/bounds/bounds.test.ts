import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Bound } from './bound.ts'
import { BOUNDS } from './bounds.ts'
import { BUS_SUBJECTS, DEVICE_FRAMES, HTTP_PATHS, PEER_MESSAGES } from './doors.ts'

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url))
const bounds: readonly (Bound & { name: string })[] = Object.entries<Bound>(BOUNDS).map(([name, bound]) => ({
  ...bound,
  name,
}))
const used = new Set<string>(
  [HTTP_PATHS, DEVICE_FRAMES, PEER_MESSAGES, BUS_SUBJECTS].flatMap((doors) => Object.values(doors).flat()),
)
const hostileTests = globSync('e2e/hostile/*.test.ts', { cwd: ROOT }).map((path) => readFileSync(ROOT + path, 'utf8'))

describe.each(bounds)('the bound "$name"', ({ name, most, beyond, shownBy: { file, title } }) => {
  it('has an amount, and says what happens beyond it', () => {
    expect(most).not.toHaveLength(0)
    expect(most.every(({ value }) => value > 0 && Number.isFinite(value))).toBe(true)
    expect(beyond).not.toBe('')
  })

  it('is shown by a test or an attack that exists', () => {
    expect(existsSync(ROOT + file), file).toBe(true)
    expect(title).not.toBe('')
    expect(readFileSync(ROOT + file, 'utf8'), file).toContain(title)
    if (file.includes('/attacks/'))
      expect(hostileTests.some((text) => text.includes(file.replace('e2e/hostile', '.')))).toBe(true)
  })

  it('bounds a door', () => {
    expect(used).toContain(name)
  })
})
