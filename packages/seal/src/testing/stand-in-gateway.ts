// A gateway that keeps signed documents and passes sealed jobs to a script. It believes everything, so that tests can lie with it.

import { hash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { readDeviceList, readSealText, type SealedJob, type SignedText } from '@hearth/sealing'
import { serveHere } from '@hearth/command-line/testing/serve-here'
import type { OnlineDevice } from '../gateway/seal-information.ts'

export const API_KEY = 'sk-hearth-test'

export class StandInGateway {
  url = ''
  /** What GET /sealed/v1/seal says. */
  state: {
    organization: string
    mode: string
    seal?: string
    administrators?: SignedText
    devices?: SignedText
    online: Partial<OnlineDevice>[]
  } = { organization: 'organization-1', mode: 'optional', online: [] }
  /** How it answered who asked for that. */
  readonly statuses: number[] = []
  /** Method, path and body of each request. */
  readonly asked: { method: string; path: string; body: string; authorization: string | undefined }[] = []
  /** The connections that sealed jobs came on, by their port. */
  readonly chatPorts: (number | undefined)[] = []
  /** Rejects so many PUTs with a 409, and calls this before each. */
  conflicts = { left: 0, before: (): void => {} }
  /** Descriptions of programs that it hands out, by path. */
  readonly handouts: Record<string, object> = {}
  /** Answers sealed jobs. */
  answer = (_job: SealedJob, response: ServerResponse): Promise<void> | void => void response.writeHead(500).end()
}

export async function startStandInGateway(): Promise<StandInGateway> {
  const gateway = new StandInGateway()
  gateway.url = await serveHere(createServer((request, response) => void receive(request, response, gateway)))
  return gateway
}

async function receive(request: IncomingMessage, response: ServerResponse, gateway: StandInGateway): Promise<void> {
  const { method = '', url: path = '' } = request
  const { authorization } = request.headers
  const body = await readText(request)
  gateway.asked.push({ method, path, body, authorization })
  response.setHeader('x-request-id', request.headers['x-request-id'] ?? 'req_of_the_gateway')
  if (gateway.handouts[path]) return json(response, gateway.handouts[path])
  if (authorization !== `Bearer ${API_KEY}`)
    return error(response, 401, 'invalid_api_key', 'Incorrect API key provided.')
  if (path.startsWith('/sealed/v1/seal'))
    return method === 'PUT' ? store(body, response, gateway) : describe(request, response, gateway)
  if (path !== '/sealed/v1/chat/completions') return json(response, { path })
  gateway.chatPorts.push(request.socket.remotePort)
  return gateway.answer(JSON.parse(body) as SealedJob, response)
}

function describe(request: IncomingMessage, response: ServerResponse, { state, statuses }: StandInGateway): void {
  const etag = JSON.stringify(hash('sha256', JSON.stringify(state)))
  const isKnown = request.headers['if-none-match'] === etag
  statuses.push(isKnown ? 304 : 200)
  response.setHeader('etag', etag)
  if (isKnown) response.writeHead(304).end()
  else json(response, state)
}

function store(body: string, response: ServerResponse, { state, conflicts }: StandInGateway): void {
  if (conflicts.left > 0) {
    conflicts.left -= 1
    conflicts.before()
    return error(response, 409, 'conflict', 'Somebody signed at the same time. Run the command again.')
  }
  Object.assign(state, JSON.parse(body))
  response.writeHead(204).end()
}

export function error(response: ServerResponse, status: number, code: string, message: string): void {
  const body = JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code } })
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk as string
  return text
}

/** The names on the list, if the seal or this administrator has signed it. */
export function namesOnList({ state }: StandInGateway, administrator?: string): string[] {
  const keys = [state.seal ?? '', administrator ?? ''].flatMap((text) => readSealText(text)?.publicKey ?? [])
  const result = readDeviceList(state.devices, keys)
  return result.kind === 'read' ? result.document.devices.map(({ name }) => name) : [result.reason]
}
