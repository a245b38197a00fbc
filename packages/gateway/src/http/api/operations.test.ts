import { describe, expect, it } from 'vitest'
import { pathOf, toOriginForm } from '@hearth/chat'
import { findOperation, pathInApi } from './operations.ts'

describe('paths', () => {
  it.each([
    ['/openai/v1/models', '/models'],
    ['//openai//v1/models', '/models'],
    ['/openai/v1', '/'],
    ['/v1/models', undefined],
    ['/openai/v10/models', undefined],
  ])('[A10] %s is %s below the prefix', (path, below) => {
    expect(pathInApi(path)).toBe(below)
  })

  it('[A14] ignores the query', () => {
    expect(pathOf('/openai/v1/models?api-version=1')).toBe('/openai/v1/models')
  })

  it.each([
    ['/openai/v1/models?a=http://x/', { path: '/openai/v1/models?a=http://x/' }],
    ['http://gateway:8080/openai/v1/models?a=1', { path: '/openai/v1/models?a=1', authority: 'gateway:8080' }],
    ['HTTPS://gateway', { path: '/', authority: 'gateway' }],
    ['http://gateway?a=1', { path: '/?a=1', authority: 'gateway' }],
    ['*', { path: '*' }],
  ])('[A14a] finds the path in the target %s', (target, found) => {
    expect(toOriginForm(target)).toEqual(found)
  })

  it.each(['/models', '/models/', '//models', '//models//'])('[A13] serves %s as the model list', (path) => {
    expect(findOperation('GET', path)).toEqual({ name: 'list-models' })
  })

  it.each(['/chat/completions', '/chat/completions/', '//chat//completions'])(
    '[A13] serves %s as chat completions',
    (path) => {
      expect(findOperation('POST', path)).toEqual({ name: 'create-chat-completion' })
    },
  )

  it.each([
    ['/models/a%2Fb:7b', 'a/b:7b'],
    ['/models/a%2fb%3A7b', 'a/b:7b'],
    ['/models/a/b:7b', 'a/b:7b'],
    ['/models/a%252Fb', 'a%2Fb'],
    ['/models/a/b:7b/', 'a/b:7b'],
    ['/models/a//', 'a'],
    ['/models/a%2F', 'a/'],
  ])('[B18] reads %s as the model %s', (path, model) => {
    expect(findOperation('GET', path)).toEqual({ name: 'retrieve-model', model })
  })

  it('[B20] treats a name that cannot be decoded as unknown', () => {
    const unknown = expect.objectContaining({ code: 'model_not_found' })
    expect(() => findOperation('GET', '/models/%E0%A4%A')).toThrow(unknown)
  })

  it.each([
    ['GET', '/nope'],
    ['POST', '/responses'],
    ['POST', '/embeddings'],
    ['GET', '/chat/completions/x'],
    ['GET', '/'],
  ])('[A9] serves nothing at %s %s', (method, path) => {
    const message = expect.stringContaining(`${method} /openai/v1${path}`)
    expect(() => findOperation(method, path)).toThrow(expect.objectContaining({ code: 'unknown_url', message }))
  })

  it.each([
    ['GET', '/chat/completions', 'POST, OPTIONS'],
    ['POST', '/models', 'GET, HEAD, OPTIONS'],
    ['DELETE', '/models/x', 'GET, HEAD, OPTIONS'],
  ])('[A11] does not allow %s on %s', (method, path, allow) => {
    const notAllowed = expect.objectContaining({
      code: 'method_not_allowed',
      headers: expect.objectContaining({ allow }),
    })
    expect(() => findOperation(method, path)).toThrow(notAllowed)
  })
})
