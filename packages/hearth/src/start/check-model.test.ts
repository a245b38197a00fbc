import { expect, it } from 'vitest'
import { checkModel } from './launch.ts'

it('accepts everything that may be a model', () => {
  for (const source of ['starter', 'qwen3:8b', 'hf:owner/name:Q4_K_M', 'https://host/model.gguf', import.meta.filename])
    expect(() => checkModel(source)).not.toThrow()
})

it('names the models that someone may have meant', () => {
  expect(() => checkModel('qwen3:8g')).toThrow(/Can't find the model "qwen3:8g".*Did you mean qwen3:8b/)
  expect(() => checkModel('nosuchmodel')).toThrow(/Can't find the model "nosuchmodel".*for example: starter/)
  expect(() => checkModel('./missing.gguf')).toThrow(/there is no such file/)
})
