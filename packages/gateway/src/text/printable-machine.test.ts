import { expect, it } from 'vitest'
import { printableMachine } from './printable-machine.ts'

it('keeps what a machine says without control characters and text direction marks', () => {
  const machine = { model: 'Think\u001b[2JPad\u202e', system: ' \u0007 ', cores: 8, memoryBytes: 16 }
  expect(printableMachine(machine)).toStrictEqual({ model: 'Think[2JPad', cores: 8, memoryBytes: 16 })
})
