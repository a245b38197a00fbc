import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import type { Part } from './part.ts'
import { waitUntilReady } from './wait-until-ready.ts'

type Answer = [status: number, body: object]

/** Serves one answer after the other, then the last one for ever. */
async function serve(answers: readonly Answer[]): Promise<{ url: string; asked: () => number }> {
  let asked = 0
  const server = createServer((_request, response) => {
    const [status, body] = answers[Math.min(asked++, answers.length - 1)]!
    response.writeHead(status).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked }
}

function makePart(isRunning = true): Part {
  return { name: 'gateway 1', isRunning, lastLines: () => 'the last line' } as Part
}

it('[R15b] waits until each of several gateways is ready', async () => {
  const [first, second] = ['a', 'b'].map((gateway): Answer => [200, { status: 'ready', gateway }])
  const { url, asked } = await serve([first!, [503, { status: 'not ready', gateway: 'b' }], first!, second!])
  await waitUntilReady({ url, parts: [makePart(), makePart()] })
  expect(asked()).toBe(4)
})

it('[R2b] waits until a single gateway is ready', async () => {
  const { url, asked } = await serve([
    [503, { status: 'not ready' }],
    [200, { status: 'ready' }],
  ])
  await waitUntilReady({ url, parts: [makePart()] })
  expect(asked()).toBe(2)
})

it('fails with the last output of a gateway that stopped', async () => {
  const { url } = await serve([[503, { status: 'not ready' }]])
  await expect(waitUntilReady({ url, parts: [makePart(false)] })).rejects.toThrow('gateway 1 stopped:\nthe last line')
})
