// A device copies a model from another device of its organization: it asks which files the model has, then for one piece after another.
// The device that has the model sends the pieces here.

import type { IncomingMessage } from 'node:http'
import { ApiError } from '../../errors.ts'
import type { DeviceIdentity, Fleet } from '../../fleet/fleet.ts'
import { allowMethods } from '../allow-methods.ts'
import type { IdentifyDevice } from '../link/identify-device.ts'
import type { NodeOutlet } from '../reply/node-outlet.ts'
import type { Call, Route } from '../route.ts'

const MODELS_PATH = '/device/v1/relay/models'
const FILE_PATH = /^\/device\/v1\/relay\/files\/([0-9a-f]{64})$/
const PIECE_PATH = /^\/device\/v1\/relay\/pieces\/([\w-]{1,64})$/

const PATHS: Route['paths'] = [MODELS_PATH, '/device/v1/relay/files/*', '/device/v1/relay/pieces/*']

export interface RelayContext {
  identify: IdentifyDevice
  relay: Fleet['relay']
}

export function createRelayRoute(context: RelayContext): Route {
  return { kind: 'device', paths: PATHS, has: isRelayPath, answer: (call) => answerRelay(call, context) }
}

function isRelayPath(path: string): boolean {
  return path === MODELS_PATH || FILE_PATH.test(path) || PIECE_PATH.test(path)
}

async function answerRelay({ request, path, outlet }: Call, { identify, relay }: RelayContext): Promise<void> {
  const transfer = PIECE_PATH.exec(path)?.[1]
  allowMethods(request, path, [transfer === undefined ? 'GET' : 'POST'])
  const device = identify(request)
  if (transfer !== undefined) return takePiece(request, outlet, device, transfer, relay)
  const sha256 = FILE_PATH.exec(path)?.[1]
  if (sha256 !== undefined) return givePiece(request, outlet, device, sha256, relay)
  return giveModel(request, outlet, device, relay)
}

function giveModel(request: IncomingMessage, outlet: NodeOutlet, device: DeviceIdentity, relay: Fleet['relay']): void {
  const { searchParams } = new URL(request.url ?? '/', 'http://gateway')
  const [name, source] = [searchParams.get('name') ?? '', searchParams.get('source') ?? '']
  const model = relay.find(device, { name, source })
  if (model === undefined) throw nobodyHasIt()
  outlet.json(200, JSON.stringify(model))
}

async function givePiece(
  request: IncomingMessage,
  outlet: NodeOutlet,
  device: DeviceIdentity,
  sha256: string,
  relay: Fleet['relay'],
): Promise<void> {
  const offset = Number(/^bytes=(\d{1,15})-$/.exec(request.headers.range ?? 'bytes=0-')?.[1])
  if (!Number.isSafeInteger(offset)) throw new ApiError('bad_request', 'Ask for a range like bytes=0-.')
  const answer = await relay.piece(device, sha256, offset)
  if (answer.kind === 'unknown') throw nobodyHasIt()
  if (answer.kind === 'busy')
    throw new ApiError('service_unavailable', 'The device that has this file is busy. Try again.', null, {
      'retry-after': '2',
    })
  const { bytes, totalBytes } = answer
  outlet.header('etag', `"${sha256}"`)
  outlet.header('content-range', `bytes ${offset}-${offset + bytes.length - 1}/${totalBytes}`)
  outlet.whole(206, 'application/octet-stream', bytes)
}

async function takePiece(
  request: IncomingMessage,
  outlet: NodeOutlet,
  device: DeviceIdentity,
  transfer: string,
  relay: Fleet['relay'],
): Promise<void> {
  const expected = relay.expects(device, transfer)
  if (expected === undefined) throw new ApiError('unknown_url', 'Nobody waits for this piece.')
  relay.arrived(device, transfer, await readPiece(request, expected))
  outlet.empty(204)
}

/** Reads no more than was asked for. */
async function readPiece(request: IncomingMessage, expected: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > expected)
    throw new ApiError('request_too_large', `Expected ${expected} bytes.`)
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length
    if (bytes > expected) throw new ApiError('request_too_large', `Expected ${expected} bytes.`)
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

function nobodyHasIt(): ApiError {
  return new ApiError('model_not_found', 'No other device of your organization shares this model.')
}
