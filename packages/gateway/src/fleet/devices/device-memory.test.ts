import type { Hello } from '@hearth/protocol'
import { expect, it } from 'vitest'
import { openBudgets } from '../../budget/memory-budgets.ts'
import { DeviceMemory } from './device-memory.ts'

const MIB = 1024 * 1024
const DEVICES = 10_000

function helloOf(device: number): Hello {
  const model = { name: 'qwen3:8b', contextLength: 8192, slots: 64, features: [], digest: `sha256:${'5'.repeat(64)}` }
  return { type: 'hello', protocols: [1], app: '1.0.0', boot: `boot-${device}`, engine: 'llama.cpp', models: [model] }
}

it('ten thousand devices of an organization have room, if each serves a model', () => {
  const budgets = openBudgets({ totalBytes: undefined, heapLimitBytes: 4096 * MIB, maxBodyBytes: 20 * MIB })
  const answers = Array.from({ length: DEVICES }, (_, device) =>
    new DeviceMemory(budgets, { organization: 'acme', id: `device-${device}`, name: 'd' }).keepHello(helloOf(device)),
  )
  expect(answers.filter((full) => full !== undefined)).toStrictEqual([])
})
