import { describe, expect, it } from 'vitest'
import { readServerAddress } from './server-address.ts'

describe('readServerAddress', () => {
  it.each([
    ['http://127.0.0.1:11434', 'http://127.0.0.1:11434'],
    ['http://127.0.0.1:11434/', 'http://127.0.0.1:11434'],
    ['http://127.0.0.1:11434/v1', 'http://127.0.0.1:11434'],
    ['http://127.0.0.1:11434/v1/', 'http://127.0.0.1:11434'],
    ['localhost:8080', 'http://localhost:8080'],
    ['https://models.example/gpu/v1', 'https://models.example/gpu'],
  ])('reads %s', (text, root) => {
    expect(readServerAddress(text)).toEqual({ root })
  })

  it.each(['ftp://example', 'http://', 'not a url', 'http://me:secret@localhost'])('rejects %s', (text) => {
    expect(() => readServerAddress(text)).toThrow(/use an address like http|leave out the user name/)
  })
})
