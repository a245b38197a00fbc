import { describe, expect, it } from 'vitest'
import { createConsoleApi } from './app.ts'
import type { Console } from './console.ts'
import { ROUTES } from './routes/document.ts'

describe('the guard', () => {
  it('[M14] lets nobody into any route while the store is silent', async () => {
    // Nothing else of the console is touched: there is nothing else.
    const api = createConsoleApi({ book: { isFresh: false }, publicUrl: '' } as Console)
    for (const { method, path } of ROUTES) {
      const init = { method: method.toUpperCase(), headers: { 'content-type': 'application/json' } }
      const url = `http://gateway/api/v1${path.replaceAll(/[{}]/g, '')}`
      const response = await api.fetch(new Request(url, init), { requestId: 'r', address: 'a' })
      expect([path, response.status]).toEqual([path, 503])
      expect(response.headers.get('retry-after')).toBe('2')
    }
  })
})
