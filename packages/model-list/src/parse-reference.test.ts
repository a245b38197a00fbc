import { describe, expect, it } from 'vitest'
import { nearNames } from './near-names.ts'
import { parseReference } from './parse-reference.ts'

function brief(text: string): string | undefined {
  const reference = parseReference(text)
  if (reference === undefined) return undefined
  if (reference.kind === 'url') return `url ${reference.url}`
  const { quant = '' } = reference
  if (reference.kind === 'listed') return `listed ${reference.model.name} ${quant}`.trim()
  const { owner, repository, revision = '', path = '' } = reference
  return ['hub', `${owner}/${repository}`, revision, quant, path].filter((part) => part !== '').join(' ')
}

describe('parseReference', () => {
  it.each([
    ['qwen3:8b', 'listed qwen3:8b'],
    ['qwen3:8b-q4_k_m', 'listed qwen3:8b Q4_K_M'],
    ['https://ollama.com/library/qwen3:8b', 'listed qwen3:8b'],
    ['Qwen/Qwen3-8B', 'listed qwen3:8b'],
    ['hf:Qwen/Qwen3-8B', 'listed qwen3:8b'],
    ['https://huggingface.co/Qwen/Qwen3-8B', 'listed qwen3:8b'],
    ['maker/Model-GGUF', 'hub maker/Model-GGUF'],
    ['maker/Model-GGUF:Q8_0', 'hub maker/Model-GGUF Q8_0'],
    ['hf:maker/Model-GGUF:UD-Q4_K_XL', 'hub maker/Model-GGUF UD-Q4_K_XL'],
    ['hf:maker/Model-GGUF/Model.Q8_0.gguf', 'hub maker/Model-GGUF Model.Q8_0.gguf'],
    ['hf:maker/Model-GGUF/big/Model.Q8_0.gguf', 'hub maker/Model-GGUF big/Model.Q8_0.gguf'],
    ['hf.co/maker/Model-GGUF:Q8_0', 'hub maker/Model-GGUF Q8_0'],
    ['hf.co/maker/Model-GGUF:latest', 'hub maker/Model-GGUF'],
    ['huggingface.co/maker/Model-GGUF', 'hub maker/Model-GGUF'],
    ['https://huggingface.co/maker/Model-GGUF/', 'hub maker/Model-GGUF'],
    ['https://huggingface.co/maker/Model-GGUF?local-app=llama.cpp', 'hub maker/Model-GGUF'],
    ['https://huggingface.co/maker/Model-GGUF/tree/main', 'hub maker/Model-GGUF'],
    ['https://huggingface.co/maker/Model-GGUF/tree/main/Q4_K_M', 'hub maker/Model-GGUF Q4_K_M'],
    ['https://huggingface.co/maker/Model-GGUF/tree/0123abc', 'hub maker/Model-GGUF 0123abc'],
    ['https://huggingface.co/maker/Model-GGUF/blob/main/Model.Q8_0.gguf', 'hub maker/Model-GGUF Model.Q8_0.gguf'],
    ['https://huggingface.co/maker/Model-GGUF/resolve/main/a%20b.gguf?download=true', 'hub maker/Model-GGUF a b.gguf'],
    ['https://huggingface.co/maker/Model-GGUF/discussions/3', 'hub maker/Model-GGUF'],
    ['https://example.com/model.gguf', 'url https://example.com/model.gguf'],
  ])('understands %s', (text, meaning) => {
    expect(brief(text)).toBe(meaning)
  })

  it.each([
    '',
    'no-such-name',
    'hf:alone',
    'hf:a/b/c',
    'hf:a/b:c:d',
    'hf:a/../b.gguf',
    'hf:a/b/../c.gguf',
    'https://huggingface.co/a/b/resolve/../c.gguf',
    'https://huggingface.co/a/b/resolve/main%3Fx/c.gguf',
    'two words/x',
    'https://',
  ])('does not take %j for a model', (text) => {
    expect(parseReference(text)).toBeUndefined()
  })
})

describe('nearNames', () => {
  const nearby = { 'qwen3:9b': 'qwen3:8b', 'qwen-3-8b': 'qwen3:8b', 'lama3.2': 'llama3.2:3b', gptoss: 'gpt-oss:20b' }
  it.each(Object.entries(nearby))('suggests for %s', (text, name) => {
    expect(nearNames(text)).toContain(name)
  })

  it('suggests nothing for something else entirely', () => {
    expect(nearNames('my-own-experiment')).toEqual([])
  })
})
