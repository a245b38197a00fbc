import { describe, expect, it } from 'vitest'
import { upstreamOptions } from '../app/servers/local-server.ts'
import { searchOptions } from '../app/job-path/search-options.ts'
import { readSettings } from './read-settings.ts'

const read = (flags: Record<string, string | boolean>) => readSettings({ flags, environment: {} }).settings

describe('settings of local servers', () => {
  it('name one server, several, or all the usual places', () => {
    expect(read({}).upstream).toBeUndefined()
    expect(read({ upstream: 'localhost:11434/v1, http://gpu:8000' }).upstream).toEqual([
      'http://localhost:11434',
      'http://gpu:8000',
    ])
    expect(read({ upstream: 'auto' }).upstream).toContain('http://127.0.0.1:11434')
    for (const none of ['off', false] as const) expect(read({ upstream: none }).upstream).toEqual([])
    expect(() => read({ upstream: 'ftp://x' })).toThrow('Invalid value "ftp://x" for --upstream')
  })

  it('say which models, under which names, with how many slots', () => {
    const settings = read({ upstreamModels: 'house=qwen3:8b, llama3.2', slots: '3', context: '2048', upstreamKey: 'k' })
    expect(upstreamOptions('http://a', settings)).toEqual({
      url: 'http://a',
      key: 'k',
      models: { house: 'qwen3:8b', 'llama3.2': 'llama3.2' },
      slots: 3,
      contextLength: 2048,
    })
    expect(() => read({ upstreamModels: 'a=' })).toThrow('name=model')
  })

  it('give the key to servers that the owner chose, and not to whatever listens on the usual ports', () => {
    const keyOf = (flags: Record<string, string>) =>
      upstreamOptions('http://127.0.0.1:8080', read({ upstreamKey: 'k', ...flags })).key
    expect([keyOf({ upstream: 'http://127.0.0.1:8080' }), keyOf({}), keyOf({ upstream: 'auto' })]).toEqual([
      'k',
      'k',
      undefined,
    ])
  })

  it('set up web search', () => {
    expect(searchOptions(read({}))).toBeUndefined()
    expect(searchOptions(read({ search: 'brave', searchKey: 'k', searchPages: false }))).toEqual({
      provider: { name: 'brave', key: 'k' },
      readsPages: false,
    })
    expect(searchOptions(read({ search: 'searxng', searchUrl: 'http://127.0.0.1:8888/' }))).toMatchObject({
      provider: { name: 'searxng', url: 'http://127.0.0.1:8888/' },
    })
  })
})
