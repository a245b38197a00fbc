import { describe, expect, it } from 'vitest'
import { createConsoleApi } from './app.ts'
import type { ConsoleParts } from './console.ts'
import { ROUTES } from './routes/document.ts'

describe('the guard', () => {
  it('[A2b] rejects every request while the store is silent', async () => {
    // The guard needs nothing else of the console, so there is nothing else.
    const api = createConsoleApi({ book: { isFresh: false }, publicUrl: '' } as ConsoleParts)
    for (const { method, path } of ROUTES) {
      const init = { method: method.toUpperCase(), headers: { 'content-type': 'application/json' } }
      const url = `http://gateway/api/v1${path.replaceAll(/[{}]/g, '')}`
      const response = await api.fetch(new Request(url, init), { requestId: 'r', address: 'a' })
      expect([path, response.status]).toEqual([path, 503])
      expect(response.headers.get('retry-after')).toBe('2')
    }
  })
})
