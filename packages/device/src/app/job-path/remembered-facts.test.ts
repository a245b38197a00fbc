import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ModelEntry } from '../../models/registry/registry.ts'
import { createManualClock } from '../../testing/manual-clock.ts'
import { makeGguf } from '../../testing/make-gguf.ts'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { RememberedFacts } from './remembered-facts.ts'

const settings = { slots: undefined, context: undefined }
const model = { name: 'a', contextLength: 4_096, slots: 3, features: ['usage' as const] }

function begin() {
  const folder = scratchFolder()
  const path = join(folder, 'a.gguf')
  writeFileSync(path, makeGguf())
  const entry: ModelEntry = { name: 'a', path, source: path, bytes: 1_000_000_000 }
  const file = join(folder, 'facts.json')
  const clock = createManualClock()
  const open = (lastUses = new Map<string, Date>()) => new RememberedFacts(file, settings, clock, lastUses)
  return { entry, file, open, clock }
}

describe('facts about models that are not loaded', () => {
  it('are those of the last time, also after a restart', () => {
    const { entry, open } = begin()
    open().remember(entry, model, 1_234.5)
    expect(open().recall(entry)).toMatchObject({ model, loadMs: 1_235 })
  })

  it('come from the file if the model was never loaded, or has changed', () => {
    const { entry, open } = begin()
    const guess = open().recall(entry)
    expect(guess).toMatchObject({ model: { name: 'a', slots: 1 }, loadMs: 4_000 })
    expect(guess!.model.features).toContain('tools')
    expect(open().recall({ ...entry, sha256: 'f1' })?.model.digest).toBe('f1')
    const facts = open()
    facts.remember(entry, model, 5)
    expect(facts.recall({ ...entry, slots: 7 })).toMatchObject({ model: { slots: 7 } })
    expect(facts.recall({ ...entry, keepAlive: 'always' })).toMatchObject({ loadMs: 5 })
  })

  it('are unknown if the file is not a model', () => {
    const { entry, open } = begin()
    writeFileSync(entry.path, 'nothing')
    expect(open().recall(entry)).toBeUndefined()
  })

  it('survive a damaged memory', () => {
    const { entry, file, open } = begin()
    writeFileSync(file, '{"a": {"about": 1}}')
    expect(open().recall(entry)).toBeDefined()
    writeFileSync(file, '{')
    expect(open().recall(entry)).toBeDefined()
  })

  it('say how long ago a model was used, on the clock of the device', async () => {
    const { entry, open, clock } = begin()
    await clock.advance(10_000)
    const used = new Date(clock.date().getTime() - 60_000)
    expect(open(new Map([['a', used]])).usedAt(entry)).toBe(-50_000)
    expect(open().usedAt(entry)).toBeUndefined()
  })
})
