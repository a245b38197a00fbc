import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { createLadderMemory } from './ladder-memory.ts'

describe('the memory of the ladder', () => {
  it('is empty if the file is damaged, or from an app that knows other rungs', () => {
    const path = join(scratchFolder(), 'ladder.json')
    const memory = createLadderMemory(path, () => 'same')
    writeFileSync(path, '{')
    expect(memory.recall()).toBeUndefined()
    writeFileSync(path, JSON.stringify({ key: '"same"', rung: 'npu', problems: [] }))
    expect(memory.recall()).toBeUndefined()
  })
})
