import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { ApiError } from '@hearth/chat'
import type { ConsoleEnv } from '../console.ts'
import { limitCrowds } from './crowd-limit.ts'

function open() {
  const gate = Promise.withResolvers<void>()
  const app = new Hono<ConsoleEnv>()
  app.use(limitCrowds())
  app.get('/', async (context) => {
    await gate.promise
    return context.text('done')
  })
  app.onError((error) => new Response(null, error instanceof ApiError ? error : { status: 500 }))
  const ask = async (address: string) =>
    (await app.request('/', {}, { requestId: 'r', address, chargeTo: () => {} })).status
  return { ask, finish: () => gate.resolve() }
}

it('requests of one network are limited while others are being answered, without an effect on other networks', async () => {
  const { ask, finish } = open()
  const running = Array.from({ length: 64 }, (_, index) => ask(`2001:db8::${index}`))
  expect(await ask('2001:db8::ffff')).toBe(429)
  const other = ask('192.0.2.1')
  finish()
  expect(await Promise.all([...running, other])).toEqual(Array(65).fill(200))
  expect(await ask('2001:db8::ffff')).toBe(200)
})
