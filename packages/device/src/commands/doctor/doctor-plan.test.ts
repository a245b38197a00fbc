import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { GIB, MIB, type MachineMemory } from '../../engines/llama/plan/machine-memory.ts'
import type { ModelEntry } from '../../models/registry/registry.ts'
import { readSettings } from '../../settings/read-settings.ts'
import { stateFolder } from '../../state/folder.ts'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { describePlans } from './doctor-plan.ts'

const path = join(import.meta.dirname, '../../../tiny-model/tiny.gguf')
const entry = (name: string, fields: Partial<ModelEntry> = {}): ModelEntry => ({
  name,
  path,
  source: name,
  bytes: 831_000,
  ...fields,
})
const machine = (available: number): MachineMemory => ({ ram: { total: 4 * GIB, available }, cores: 2 })

function linesOf(entries: ModelEntry[], on: MachineMemory): string[] {
  const state = stateFolder(scratchFolder())
  const { settings } = readSettings({ flags: {}, environment: {} })
  return describePlans(entries, on, { state, settings }).map(({ text }) => text)
}

describe('doctor --plan', () => {
  it('says what each model gets beside those before it, and why', () => {
    const entries = [entry('one', { slots: 2 }), entry('other', { contextLength: 512 }), entry('gone', { path: '/no' })]
    expect(linesOf(entries, machine(2 * GIB))).toEqual([
      'This machine: 2 GB of 4 GB available, 2 cores',
      'one: 2 × 2,048 tokens, f16 cache, CPU, batches of 512',
      "  the model's full context",
      'other: 4 × 512 of 2,048 tokens, f16 cache, CPU, batches of 512',
      "  512 of the model's 2,048 tokens, as set on the device",
      expect.stringContaining("gone: Can't open the model file /no"),
    ])
    expect(linesOf([entry('one'), entry('other')], machine(600 * MIB)).at(-1)).toMatch(/^other: needs \d+ KB for/)
    expect(linesOf([], machine(GIB)).at(-1)).toMatch(/^No models yet/)
  })
})
