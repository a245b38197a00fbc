import { describe, expect, it } from 'vitest'
import { plainSource, withPlainSources } from './plain-source.ts'

describe('the source of a model', () => {
  it.each([
    ['https://host/x.gguf?X-Signature=secret', 'https://host/x.gguf'],
    ['https://host/x.gguf#secret', 'https://host/x.gguf'],
    ['https://ann:secret@host/x.gguf?a=b#c', 'https://host/x.gguf'],
    ['https://ann:p@ss@host/x.gguf', 'https://host/x.gguf'],
    ['HTTPS:\\\\ann:secret@host\\x.gguf', 'HTTPS:\\\\host\\x.gguf'],
    ['https:ann:secret@host/x.gguf', 'https:host/x.gguf'],
    [' https://ann@host/a@b.gguf', ' https://host/a@b.gguf'],
    ['https://host/x.gguf?a\nb', 'https://host/x.gguf'],
    ['hf.co/owner/name?token=secret', 'hf.co/owner/name'],
    ['hf:owner/name:Q4_K_M', 'hf:owner/name:Q4_K_M'],
    ['qwen3:8b', 'qwen3:8b'],
  ])('says nothing secret: %j', (source, plain) => {
    expect(plainSource(source)).toBe(plain)
  })

  it('says nothing secret in a sentence either', () => {
    const text =
      "Can't download https://ann:secret@host/x.gguf?sig=secret: the server returned status 403. See https://b/c"
    expect(withPlainSources(text)).toBe(
      "Can't download https://host/x.gguf the server returned status 403. See https://b/c",
    )
  })
})
