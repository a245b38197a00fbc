import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { LastUses, readLastUses } from './last-uses.ts'

describe('the last uses of models', () => {
  it('remembers them across restarts, to the minute', () => {
    const path = join(scratchFolder(), 'last-uses.json')
    let now = new Date('2026-01-01T00:00:00Z')
    const uses = new LastUses(path, () => now)
    uses.note('a')
    now = new Date('2026-01-01T00:00:30Z')
    uses.note('a')
    uses.note('b')
    expect([...readLastUses(path)]).toEqual([
      ['a', new Date('2026-01-01T00:00:00Z')],
      ['b', new Date('2026-01-01T00:00:30Z')],
    ])
    now = new Date('2026-01-01T00:05:00Z')
    new LastUses(path, () => now).note('a')
    expect(readLastUses(path).get('a')).toEqual(now)
  })

  it('starts over if the file is damaged', () => {
    const path = join(scratchFolder(), 'last-uses.json')
    writeFileSync(path, '{"a": 1')
    expect(readLastUses(path).size).toBe(0)
  })
})
