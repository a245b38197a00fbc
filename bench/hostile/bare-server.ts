// The least that a server on Node can do: it takes connections as the gateway does, and answers each request at once without looking at it.

import { createServer } from 'node:http'
import { listen } from '@hearth/gateway/testing'

const server = createServer((request, response) => {
  request.resume()
  response.setHeader('content-type', 'application/json').end('{}')
})
const { port } = await listen(server, { host: '127.0.0.1', port: 0 })
process.send?.({ port })
process.on('disconnect', () => process.exit(0))
