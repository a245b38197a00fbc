import { expect, it } from 'vitest'
import { outOfMemoryKills } from './out-of-memory-kills.ts'

it('counts the processes that Linux ended for lack of memory', () => {
  expect(outOfMemoryKills(() => 'pgfault 7\noom_kill 12\noom_kill_other 3\n')).toBe(12)
})

it('knows nothing on other systems', () => {
  expect(outOfMemoryKills(() => undefined)).toBeUndefined()
})
