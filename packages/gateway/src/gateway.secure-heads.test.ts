// Which headers keep browsers safe, in whatever a gateway answers.

import { request as send } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openConsoleWorld, type ConsoleWorld } from './testing/console-world.ts'
import { usePostgres } from './testing/use-postgres.ts'

const postgres = usePostgres()
let world: ConsoleWorld
let plain: ConsoleWorld
beforeAll(async () => {
  world = await openConsoleWorld(await postgres.createDatabase(), { PUBLIC_URL: 'https://hearth.test' })
  plain = await openConsoleWorld(await postgres.createDatabase())
})
afterAll(() => Promise.all([world.close(), plain.close()]))

const CHAT = {
  method: 'POST',
  headers: { authorization: 'Bearer sk-wrong', 'content-type': 'application/json' },
  body: '{"model":"m","messages":[]}',
}
const ASKED: [string, RequestInit][] = [
  ['/', {}],
  ['/sign-in', {}],
  ['/assets/nothing.js', {}],
  ['/api/v1/sign-in', {}],
  ['/api/v1/me', {}],
  ['/api/auth/nothing', {}],
  ['/api/openapi.json', {}],
  ['/openai/v1/models', {}],
  ['/openai/v1/chat/completions', CHAT],
  ['/openai/v1/chat/completions', { method: 'OPTIONS', headers: { origin: 'https://elsewhere.test' } }],
  ['/device/v1/app.json', {}],
  ['/healthz', {}],
  ['/metrics', {}],
]

describe.each(ASKED)('the reply to %s', (path, request) => {
  it('is not taken for anything but its type', async () => {
    const { headers } = await fetch(world.base + path, request)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('asks for HTTPS from now on if the public address has it, and only then', async () => {
    const asks = async (base: string) => (await fetch(base + path, request)).headers.get('strict-transport-security')
    expect(await asks(world.base)).toBe('max-age=31536000')
    expect(await asks(plain.base)).toBe(null)
  })
})

it.each(['/', '/api/v1/me', '/openai/v1/models', '/device/v1/app.json', '/metrics'])(
  'TRACE %s gets an error that repeats nothing of the request',
  async (path) => {
    // fetch() does not send it.
    const secret = 'the cookie of somebody'
    const answer = await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const request = send(world.base + path, { method: 'TRACE', headers: { cookie: secret } }, (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece: Buffer) => pieces.push(piece))
        response.on('end', () => resolve({ status: response.statusCode, text: Buffer.concat(pieces).toString() }))
      })
      request.on('error', reject).end()
    })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.text).not.toContain(secret)
  },
)
