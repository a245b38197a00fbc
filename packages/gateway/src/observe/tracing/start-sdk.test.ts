import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { serveHere } from '@hearth/command-line/testing/serve-here'
import { expect, it } from 'vitest'
import { readConfig } from '../../config.ts'
import { createLog } from '../log.ts'
import { openTraces } from './open-traces.ts'

const QUIET = createLog('silent')

/** A collector that keeps what it gets over OTLP/HTTP. */
async function startCollector(): Promise<{ url: string; got: string[] }> {
  const got: string[] = []
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    got.push(`${request.url} ${(await buffer(request)).toString('latin1')}`)
    response.writeHead(200).end()
  }
  return { url: await serveHere(createServer((request, response) => void take(request, response))), got }
}

it('[A15h] sends spans to the endpoint, under the name of the service', async () => {
  const { url, got } = await startCollector()
  const config = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/`, OTEL_SERVICE_NAME: 'our-gateway' })
  const traces = await openTraces(config, QUIET)
  traces!.rejected({ requestId: 'order-17', client: undefined, model: 'm', code: 'invalid_json' })
  await traces!.close()
  expect(got).toHaveLength(1)
  for (const text of ['/v1/traces ', 'our-gateway', 'chat m', 'order-17', 'gen_ai.request.model', 'invalid_json'])
    expect(got[0]).toContain(text)
})

it('[A15h] makes no spans without an endpoint, or for a share of zero', async () => {
  expect(await openTraces(readConfig({}), QUIET)).toBeUndefined()
  const { url, got } = await startCollector()
  const none = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }
  const traces = await openTraces(readConfig({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url, ...none }), QUIET)
  traces!.rejected({ requestId: 'order-17', client: undefined, model: 'm', code: 'invalid_json' })
  await traces!.close()
  expect(got).toEqual([])
})

it.each([
  ['OTEL_TRACES_SAMPLER', 'sometimes'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
])('a gateway does not start if %s is %s', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(`Cannot read setting ${name}`)
})
