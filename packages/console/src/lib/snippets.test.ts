import { describe, expect, it } from 'vitest'
import { installLine } from './install-line.ts'
import { makeSnippets, plainModelName } from './snippets.ts'

describe('snippets', () => {
  it('[Q2b] contain the base URL and the model', () => {
    const snippets = makeSnippets({ baseUrl: 'https://hearth.example/openai/v1', model: 'qwen3:8b' })
    for (const { text } of snippets) expect(text).toContain('https://hearth.example/openai/v1')
    expect(snippets.filter(({ text }) => text.includes('qwen3:8b'))).toHaveLength(snippets.length - 1)
  })

  it.each(["'; rm -rf ~; '", '$(reboot)', '"; import os', 'a b', 'a\nb', '`x`', 'good\u202Eexe', ''])(
    '[Q16b] never contain the name %j',
    (name) => {
      expect(plainModelName([name, 'plain/name:1b'])).toBe('plain/name:1b')
      expect(plainModelName([name])).toBe('your-model')
    },
  )

  it('[Q6] allows clear text only where the gateway is another machine without encryption', () => {
    expect(installLine('https://hearth.example')).not.toContain('--allow-insecure')
    expect(installLine('http://127.0.0.1:8080')).not.toContain('--allow-insecure')
    expect(installLine('http://localhost:8080')).not.toContain('--allow-insecure')
    expect(installLine('http://192.168.1.5:8080')).toMatch(/http:\/\/192\.168\.1\.5:8080 --allow-insecure$/)
  })
})
