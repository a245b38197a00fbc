// A model server that computes nothing: answers with a hundred tokens immediately, whole or as one event per token. The peers proxy to it.

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { MODEL, TOKENS } from './tokens.ts'

const envelope = {
  id: 'chatcmpl-0123456789abcdef01234567',
  created: 1_700_000_000,
  model: MODEL,
  system_fingerprint: 'fp_bench',
}
const whole = JSON.stringify({
  ...envelope,
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: TOKENS.join(''), refusal: null },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 120, completion_tokens: TOKENS.length, total_tokens: 120 + TOKENS.length },
})
const events = [
  chunk({ role: 'assistant', content: '' }, null),
  ...TOKENS.map((content) => chunk({ content }, null)),
  chunk({}, 'stop'),
  'data: [DONE]\n\n',
]

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8').on('data', (text: string) => (body += text))
  request.on('end', () => (body.includes('"stream":true') ? answerStream(response) : answerWhole(response)))
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('disconnect', () => process.exit(0))

function answerWhole(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(whole) }).end(whole)
}

// Send each event in its own turn of the event loop, like a model server: otherwise they would leave in one packet.
function answerStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  let index = 0
  const next = () => {
    response.write(events[index++])
    if (index < events.length) setImmediate(next)
    else response.end()
  }
  next()
}

function chunk(delta: object, finishReason: string | null): string {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finishReason }]
  return `data: ${JSON.stringify({ ...envelope, object: 'chat.completion.chunk', choices })}\n\n`
}
