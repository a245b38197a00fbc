import { describe, expect, it } from 'vitest'
import { createConsoleApi } from '../app.ts'
import { GuessLimiter } from '../../access/limits/guess-limiter.ts'
import { StoreError } from '../../store/database/store-error.ts'
import type { ConsoleParts } from '../console.ts'
import { ROUTES } from '../document.ts'

describe('the guard', () => {
  it('rejects every request while the store is silent', async () => {
    // The guard needs nothing else of the console, so there is nothing else.
    const api = createConsoleApi({ book: { isStoreSilent: true }, publicUrl: '' } as ConsoleParts)
    for (const { method, path } of ROUTES) {
      const init = { method: method.toUpperCase(), headers: { 'content-type': 'application/json' } }
      const url = `http://gateway/api/v1${path.replaceAll(/[{}]/g, '')}`
      const response = await api.fetch(new Request(url, init), { requestId: 'r', address: 'a', chargeTo: () => {} })
      expect([path, response.status]).toEqual([path, 503])
      expect(response.headers.get('retry-after')).toBe('2')
    }
  })

  it('tells people to try again when the database is busy', async () => {
    const store = { findInvitation: () => Promise.reject(new StoreError('busy', 'too many queries')) }
    const parts = { store, book: { isStoreSilent: false }, guessLimiter: new GuessLimiter(), publicUrl: '' }
    const api = createConsoleApi(parts as unknown as ConsoleParts)
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"token":"t"}' }
    const request = new Request('http://gateway/api/v1/invitations/look-up', init)
    const response = await api.fetch(request, { requestId: 'r', address: 'a', chargeTo: () => {} })
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
    expect(await response.text()).toContain('busy')
  })
})
