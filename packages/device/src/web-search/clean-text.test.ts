import { describe, expect, it } from 'vitest'
import { cleanResults } from './clean-text.ts'

describe('cleanResults', () => {
  it('keeps results that can be cited, without duplicates', () => {
    const results = [
      { url: 'https://a.example/x#1', title: ' A <b>title</b> ', content: 'text' },
      { url: 'https://a.example/x#2', title: 'again', content: '' },
      { url: 'javascript:alert(1)', title: 'no', content: '' },
      { url: 'not a url', title: 'no', content: '' },
      null,
      'nonsense',
      { url: 'https://b.example/', content: 7 },
    ]
    expect(cleanResults(results, 'content', 5)).toEqual([
      { url: 'https://a.example/x', title: 'A title', snippet: 'text' },
      { url: 'https://b.example/', title: 'b.example', snippet: '' },
    ])
    expect(cleanResults('nonsense', 'content', 5)).toEqual([])
  })
})
