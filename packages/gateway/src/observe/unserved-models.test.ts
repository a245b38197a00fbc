import { expect, it } from 'vitest'
import { UnservedModels } from './unserved-models.ts'

it('says once that a model is waited for, and again after nothing waited for it', () => {
  const said: unknown[] = []
  const log = { warn: (fields: unknown) => said.push(fields) } as unknown as Parameters<UnservedModels['look']>[1]
  const models = new UnservedModels()
  for (const unserved of [['a'], ['a', 'b'], ['b'], ['a']]) models.look(new Set(unserved), log)
  expect(said).toEqual([{ model: 'a' }, { model: 'b' }, { model: 'a' }])
})
