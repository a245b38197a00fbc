import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { listen } from '../harness/connections/listen.ts'
import { FULL, startSystem } from '../harness/start-system.ts'

/** A collector: keeps what it gets over OTLP/HTTP. */
async function startCollector() {
  const got: { path: string | undefined; headers: IncomingHttpHeaders; body: Buffer }[] = []
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    got.push({ path: request.url, headers: request.headers, body: await buffer(request) })
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
  }
  return { ...(await listen(createServer((request, response) => void take(request, response)))), got }
}

/** The fields of a protobuf message by number: bytes as they are, numbers as text. */
function readMessage(bytes: Buffer): Map<number, Buffer[]> {
  const fields = new Map<number, Buffer[]>()
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]!
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    const wire = tag & 7
    const text = wire === 0 ? String(varint()) : undefined
    const size = wire === 2 ? Number(varint()) : wire === 1 ? 8 : wire === 5 ? 4 : 0
    const value = text === undefined ? bytes.subarray(at, at + size) : Buffer.from(text)
    at += size
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value])
  }
  return fields
}

const inside = (messages: readonly Buffer[], field: number) =>
  messages.flatMap((one) => readMessage(one).get(field) ?? [])

/** ExportTraceServiceRequest → resource_spans → scope_spans → spans */
function readSpans(body: Buffer) {
  return inside(inside(inside([body], 1), 2), 2).map((span) => {
    const fields = readMessage(span)
    const attributes = (fields.get(9) ?? []).map((pair) => {
      const [key, value] = [1, 2].map((field) => inside([pair], field)[0]!)
      return [String(key), String([...readMessage(value!).values()][0]![0])] as const
    })
    return {
      trace: fields.get(1)![0]!.toString('hex'),
      id: fields.get(2)![0]!.toString('hex'),
      parent: fields.get(4)?.[0]?.toString('hex'),
      name: fields.get(5)![0]!.toString(),
      attributes: Object.fromEntries(attributes),
    }
  })
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
  const { body } = collector.got[0]!
  const spans = readSpans(body)
  expect(spans.map(({ name }) => name).toSorted()).toEqual([`chat ${FULL}`, 'device', 'first token', 'offer', 'wait'])
  for (const span of spans) expect(span.trace).toBe(trace)
  const request = spans.find(({ name }) => name.startsWith('chat'))!
  expect(request.parent).toBe(parent)
  expect(request.attributes).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': FULL,
    'hearth.request.id': 'order-17',
  })
  expect(body.toString('latin1')).toContain('our-gateway')
  expect(body.toString('latin1')).not.toContain('canary')
  const lines = system.gateway
    .output()
    .split('\n')
    .filter((line) => line.includes('"request":"order-17"'))
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ msg: 'job', trace, outcome: 'ended' }])
})
