import { createServer } from 'node:http'
import { connect } from 'node:net'
import { ByteBudget, NodeOutlet } from '@hearth/chat'
import { serveHere } from '@hearth/command-line/testing/serve-here'
import { expect, it, onTestFinished } from 'vitest'
import { createConsoleRoute } from './console.ts'

const MIB = 1024 * 1024

it('answers of the console count for whoever asked, while nobody reads them', async () => {
  const budget = new ByteBudget(300 * MIB)
  const route = createConsoleRoute({
    addressHeader: '',
    budget,
    answerConsole: (_request, { chargeTo }) => {
      chargeTo({ organization: 'acme', key: 'ann' })
      return new Response('x'.repeat(32 * MIB))
    },
  })
  const server = createServer((request, response) => {
    void route.answer({
      request,
      response,
      path: '/api/v1/x',
      outlet: new NodeOutlet(response, { requestId: 'req_1' }),
    })
  })
  const { port } = new URL(await serveHere(server))
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
  onTestFinished(() => void socket.destroy())
  socket.pause().write('GET /api/v1/x HTTP/1.1\r\nhost: x\r\n\r\n')
  await expect.poll(() => budget.usedBytes).toBeGreaterThan(16 * MIB)
  socket.destroy()
  await expect.poll(() => budget.usedBytes).toBe(0)
})
