import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { listen } from '../harness/connections/listen.ts'
import { FULL, startSystem } from '../harness/start-system.ts'

/** Of a span, in protobuf: field 5, whose length is given. */
const NAME_FIELD = String.fromCharCode((5 << 3) | 2)

/** A collector: keeps what it gets over OTLP/HTTP. */
async function startCollector() {
  const got: { path: string | undefined; headers: IncomingHttpHeaders; body: Buffer }[] = []
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    got.push({ path: request.url, headers: request.headers, body: await buffer(request) })
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
  }
  return { ...(await listen(createServer((request, response) => void take(request, response)))), got }
}

it('[A15h] sends the spans of a request to a collector, in the trace of its client and without content', async () => {
  await using collector = await startCollector()
  await using system = await startSystem({
    settings: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=acme',
      OTEL_SERVICE_NAME: 'our-gateway',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0',
    },
  })
  const [trace, parent] = ['4b'.repeat(16), '12'.repeat(8)]
  const headers = { 'x-request-id': 'order-17', traceparent: `00-${trace}-${parent}-01` }
  const messages = [{ role: 'user', content: 'canary-prompt' }]
  system.full.plan = { text: ['canary-answer'] }
  expect((await system.client.post({ model: FULL, messages }, { headers })).status).toBe(200)
  // Nobody asks for this one, and the share of such requests is zero.
  expect((await system.client.post({ model: FULL, messages })).status).toBe(200)
  system.gateway.signal('SIGTERM')
  await system.gateway.exited
  expect(collector.got.map(({ path, headers: { 'x-tenant': tenant } }) => [path, tenant])).toEqual([
    ['/v1/traces', 'acme'],
  ])
  // Protobuf writes bytes and texts as they are, after the number and the length of their field.
  const body = collector.got[0]!.body.toString('latin1')
  const times = (hex: string) => body.split(Buffer.from(hex, 'hex').toString('latin1')).length - 1
  const spans = [`chat ${FULL}`, 'wait', 'offer', 'device', 'first token']
  expect([times(trace), times(parent)]).toEqual([spans.length, 1])
  for (const name of spans) expect(body).toContain(`${NAME_FIELD}${String.fromCharCode(name.length)}${name}`)
  for (const text of ['our-gateway', 'gen_ai.operation.name', 'gen_ai.request.model', 'hearth.request.id', 'order-17'])
    expect(body).toContain(text)
  expect(body).not.toContain('canary')
  const lines = system.gateway
    .output()
    .split('\n')
    .filter((line) => line.includes('"request":"order-17"'))
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ msg: 'job', trace, outcome: 'ended' }])
})
