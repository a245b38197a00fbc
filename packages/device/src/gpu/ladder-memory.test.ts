import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { createLadderMemory } from './ladder-memory.ts'

describe('the memory of the ladder', () => {
  const result = { rung: 'vulkan', problems: [] } as const

  it('holds until a circumstance changes', () => {
    const path = join(scratchFolder(), 'ladder.json')
    const now = { driver: '580.95.05', app: '1.0.0' }
    const memory = createLadderMemory(path, () => now)
    expect(memory.recall()).toBeUndefined()
    memory.remember(result)
    expect(memory.recall()).toEqual(result)
    now.driver = '590.48.01'
    expect(memory.recall()).toBeUndefined()
    memory.remember(result)
    memory.forget()
    expect(memory.recall()).toBeUndefined()
  })

  it('is empty if the file is damaged, or from an app that knows other rungs', () => {
    const path = join(scratchFolder(), 'ladder.json')
    const memory = createLadderMemory(path, () => 'same')
    writeFileSync(path, '{')
    expect(memory.recall()).toBeUndefined()
    writeFileSync(path, JSON.stringify({ key: '"same"', rung: 'npu', problems: [] }))
    expect(memory.recall()).toBeUndefined()
  })
})
