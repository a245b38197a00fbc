import { expect, it } from 'vitest'
import type { Schemas } from '../../../api/client.ts'
import { chooseFound } from './model-choice.ts'

const EIGHT = { name: 'qwen3:8b', bytes: 5e9, parameters: 8.2, activeParameters: 8.2, contextBytesPerToken: 147_456 }
const known = [EIGHT as unknown as Schemas['ListedModel']]

function factsOf(name: string, source: string, bytes: number) {
  return chooseFound(source, { name, source, bytes, memoryBytes: bytes, license: null, quantizations: null }, known)
    .facts
}

it('knows another file of a listed model by its name', () => {
  expect(factsOf('qwen3:8b-q8_0', 'qwen3:8b-q8_0', 8.7e9)).toMatchObject({ bytes: 8.7e9, parameters: 8.2 })
})

it('guesses the rest from the reference and the size', () => {
  const facts = factsOf('large', 'hf:acme/Large-30B-A3B-GGUF', 18e9)
  expect(facts).toMatchObject({ name: 'large', bytes: 18e9, parameters: 30, activeParameters: 3 })
})
