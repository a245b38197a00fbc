import { describe, expect, it } from 'vitest'
import { makeSnippets, plainModelName } from './snippets.ts'

describe('snippets', () => {
  it('contain the base URL and the model', () => {
    const snippets = makeSnippets({ baseUrl: 'https://hearth.example/openai/v1', model: 'qwen3:8b' })
    for (const { text } of snippets) expect(text).toContain('https://hearth.example/openai/v1')
    expect(snippets.filter(({ text }) => text.includes('qwen3:8b'))).toHaveLength(snippets.length - 1)
  })

  it.each(["'; rm -rf ~; '", '$(reboot)', '"; import os', 'a b', 'a\nb', '`x`', 'good\u202Eexe', ''])(
    'never contain the name %j',
    (name) => {
      expect(plainModelName([name, 'plain/name:1b'])).toBe('plain/name:1b')
      expect(plainModelName([name])).toBe('your-model')
    },
  )
})
