import { describe, expect, it } from 'vitest'
import { groupModels } from './model-groups.ts'
import { GB, RYZEN, standInMachine } from './testing/stand-in-machine.ts'

const machine = (roomBytes: number, gpu: string | null = null, models: object[] = []) =>
  standInMachine({ diskFreeBytes: 500 * GB, memoryBytes: roomBytes }, { machine: { ...RYZEN, gpu }, models }, models)

function model(size: number, activeShare = 1) {
  const bytes = size * GB * 0.6
  const activeParameters = size * activeShare
  return { name: `${size}b`, bytes, parameters: size, activeParameters, contextBytesPerToken: 100_000 }
}

function names(groups: ReturnType<typeof groupModels>): [string, ...string[]][] {
  return groups.map(({ title, models }) => [title, ...models.map((one) => one.model.name)])
}

const MODELS = [model(1), model(4), model(8), model(14), model(30, 0.1), model(70)]

describe('the list of models', () => {
  it('begins with the best that are fast enough, and ends with those that are too large', () => {
    expect(names(groupModels(MODELS, machine(24 * GB)))).toEqual([
      ['Fits', '30b', '8b', '4b', '1b'],
      ['Fits, but slow: less than 5 tokens/s', '14b'],
      ['Too large', '70b'],
    ])
  })

  it('tells models on the GPU from those that need the processor too', () => {
    const groups = groupModels(MODELS, machine(32 * GB, 'NVIDIA GeForce RTX 3060'))
    expect(names(groups)).toEqual([
      ['Fits the GPU', '8b', '4b', '1b'],
      ['Fits, but runs partly on the processor', '14b', '30b'],
      ['Too large', '70b'],
    ])
  })

  it('has speeds that were measured', () => {
    const measured = { ...model(8), tokensPerSecond: 4 }
    const slow = names(groupModels(MODELS, machine(24 * GB, null, [measured])))[1]
    expect(slow).toEqual(['Fits, but slow: less than 5 tokens/s', '8b', '14b'])
  })

  it('is one group as long as there is no device', () => {
    expect(names(groupModels(MODELS, undefined))).toEqual([['All models', ...MODELS.map(({ name }) => name)]])
    expect(groupModels([], undefined)).toEqual([])
  })
})
