// A request that crashes its engine again and again, on a real device: its client reads why, its owner sees it and can accept it again.

import { afterAll, expect, it } from 'vitest'
import { expectError } from '../harness/client/expect-reply.ts'
import { startSystem } from '../harness/start-system.ts'
import { startTinyDevice } from '../harness/tiny-device.ts'

const MODEL = 'hearth-tiny'
/** One token over and over, until the context is full. */
const POISON = { model: MODEL, messages: [{ role: 'user', content: 'Poison' }], logit_bias: { '100': 100 }, n: 4 }

const system = await startSystem({ devices: 'none' })
const device = await startTinyDevice(system, MODEL)
afterAll(async () => {
  await device[Symbol.asyncDispose]()
  await system[Symbol.asyncDispose]()
})

/** The engine dies while it answers, and is there again. */
async function crash(): Promise<void> {
  const from = device.output().length
  const { events } = await system.client.openStream(POISON)
  await events.next()
  process.kill(await device.enginePid(), 'SIGSEGV')
  await device.heard(`${MODEL}: ready`, from)
  await events.return(undefined)
}

it('a request that crashed three engines is rejected with the reason, until its owner accepts it again', async () => {
  for (let time = 1; time <= 3; time++) await crash()
  const error = expectError(await system.client.post({ ...POISON, stream: true }), {
    status: 500,
    code: 'server_error',
    param: null,
  })
  expect(error.message).toMatch(/crashed the engine of every device that tried it.*hearth device unblock/)
  await expect.poll(() => device.command('status'), { timeout: 20_000 }).toContain('rejects 1 request')
  expect(await device.command('unblock')).toContain('1 request accepted again')
  await expect.poll(() => device.command('status'), { timeout: 20_000 }).not.toContain('rejects')
  const { events } = await system.client.openStream(POISON)
  expect((await events.next()).done).toBe(false)
  await events.return(undefined)
})
