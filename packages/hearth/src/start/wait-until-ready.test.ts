import { createServer } from 'node:http'
import { serveHere } from '@hearth/command-line/testing/serve-here'
import { expect, it } from 'vitest'
import { waitUntilReady } from './wait-until-ready.ts'

type Answer = [status: number, body: object]

/** Serves one answer after the other, then the last one forever. */
async function serve(answers: readonly Answer[]): Promise<{ url: string; asked: () => number }> {
  let asked = 0
  const server = createServer((_request, response) => {
    const [status, body] = answers[Math.min(asked++, answers.length - 1)]!
    response.writeHead(status).end(JSON.stringify(body))
  })
  return { url: await serveHere(server), asked: () => asked }
}

const [first, second, third] = ['a', 'b', 'c'].map((gateway): Answer => [200, { status: 'ready', gateway }])

it('waits until each of several gateways is ready', async () => {
  const { url, asked } = await serve([first!, [503, { status: 'not ready', gateway: 'b' }], first!, second!])
  await waitUntilReady({ url, count: 2, pids: () => [1, 2] })
  expect(asked()).toBe(4)
})

it('does not count a gateway that stopped meanwhile', async () => {
  const { url, asked } = await serve([first!, second!, third!])
  await waitUntilReady({ url, count: 2, pids: () => (asked() === 0 ? [1, 2] : [2, 3]) })
  expect(asked()).toBe(3)
})

it('waits until a single gateway is ready', async () => {
  const { url, asked } = await serve([
    [503, { status: 'not ready' }],
    [200, { status: 'ready' }],
  ])
  await waitUntilReady({ url, count: 1, pids: () => [1] })
  expect(asked()).toBe(2)
})
