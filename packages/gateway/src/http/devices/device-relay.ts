// A device copies a model from another device of its organization: it asks which files the model has, then for one piece after another.
// The device that has the model sends the pieces here.

import type { IncomingMessage } from 'node:http'
import { type Full, type ByteBudget, ApiError } from '@hearth/chat'
import type { RelayLimiter } from '../../access/limits/relay-limiter.ts'
import type { DeviceIdentity, Fleet, Piece } from '../../fleet/fleet.ts'
import { allowMethods } from '../request-head.ts'
import type { IdentifyDevice } from '../link/identify-device.ts'
import type { Call, Route } from '../route.ts'
import { pourPiece } from './pour-piece.ts'

const MODELS_PATH = '/device/v1/relay/models'
const FILE_PATH = /^\/device\/v1\/relay\/files\/([0-9a-f]{64})$/
const PIECE_PATH = /^\/device\/v1\/relay\/pieces\/([\w-]{1,64})$/
const RETRY_SOON = { 'retry-after': '2' }

const PATHS: Route['paths'] = [MODELS_PATH, '/device/v1/relay/files/*', '/device/v1/relay/pieces/*']

export interface RelayContext {
  identify: IdentifyDevice
  relay: Fleet['relay']
  limiter: RelayLimiter
  budget: ByteBudget
}

export function createRelayRoute(context: RelayContext): Route {
  return { kind: 'device', paths: PATHS, has: isRelayPath, answer: (call) => answerRelay(call, context) }
}

function isRelayPath(path: string): boolean {
  return path === MODELS_PATH || FILE_PATH.test(path) || PIECE_PATH.test(path)
}

async function answerRelay(call: Call, context: RelayContext): Promise<void> {
  const { request, path } = call
  const transfer = PIECE_PATH.exec(path)?.[1]
  allowMethods(request, path, [transfer === undefined ? 'GET' : 'POST'])
  const device = context.identify(request)
  if (path === MODELS_PATH) return giveModel(call, device, context)
  context.limiter.pieces.count(device.id)
  if (transfer !== undefined) return takePiece(call, device, transfer, context)
  return givePiece(call, device, path, context)
}

function giveModel({ request, outlet }: Call, device: DeviceIdentity, { relay, limiter, budget }: RelayContext): void {
  limiter.models.count(device.id)
  const { searchParams } = new URL(request.url ?? '/', 'http://gateway')
  const [name, source] = [searchParams.get('name') ?? '', searchParams.get('source') ?? '']
  const model = relay.find(device, { name, source })
  if (model === undefined) throw nobodyHasIt()
  outlet.chargeTo(budget, { organization: device.organization, key: device.id })
  outlet.json(200, JSON.stringify(model))
}

async function givePiece(call: Call, device: DeviceIdentity, path: string, { relay }: RelayContext): Promise<void> {
  const { request, outlet } = call
  const sha256 = FILE_PATH.exec(path)?.[1] ?? ''
  const offset = Number(/^bytes=(\d{1,15})-$/.exec(request.headers.range ?? 'bytes=0-')?.[1])
  if (!Number.isSafeInteger(offset)) throw new ApiError('bad_request', 'Ask for a range like bytes=0-.')
  const closed = new AbortController()
  outlet.onClose(() => closed.abort())
  const answer = await relay.piece(device, sha256, offset, closed.signal)
  switch (answer.kind) {
    case 'piece':
      outlet.header('etag', `"${sha256}"`)
      outlet.header('content-range', `bytes ${offset}-${offset + answer.bytes - 1}/${answer.totalBytes}`)
      return passOn(answer, call)
    case 'unknown':
      throw nobodyHasIt()
    case 'busy':
      throw new ApiError(
        'service_unavailable',
        'The device that has this file is busy. Try again in 2 s.',
        null,
        RETRY_SOON,
      )
    case 'full':
      throw tooManyCopies(answer.full)
    default:
      answer satisfies never
  }
}

async function passOn({ body, bytes, end }: Piece, { outlet, response }: Call): Promise<void> {
  outlet.startBytes(206, bytes)
  const outcome = await pourPiece({ body, into: response, bytes })
  end(outcome)
  if (outcome === 'whole') response.end()
  else outlet.destroy()
}

async function takePiece(
  { request, outlet }: Call,
  device: DeviceIdentity,
  transfer: string,
  { relay }: RelayContext,
): Promise<void> {
  const over = relay.take(device, transfer, request, declaredBytes(request))
  await over
  if (over && request.complete) return outlet.empty(204)
  // Otherwise the rest of the body would be read, only to be forgotten.
  outlet.closeConnection()
  if (over === undefined)
    throw new ApiError('unknown_url', 'Nobody waits for this piece: it came too late, or is being sent already.')
  throw new ApiError('bad_request', 'The piece has another length than it should have, or came too slowly.')
}

function declaredBytes({ headers }: IncomingMessage): number | undefined {
  const length = headers['content-length']
  return length === undefined ? undefined : Number(length)
}

function nobodyHasIt(): ApiError {
  return new ApiError('model_not_found', 'No other device of your organization shares this model.')
}

function tooManyCopies(full: Full): ApiError {
  if (full === 'process')
    return new ApiError(
      'service_unavailable',
      'The gateway copies as many models as it can. Try again in 2 s.',
      null,
      RETRY_SOON,
    )
  const message = 'Your organization copies as many models at once as it may. Try again in 2 s.'
  return new ApiError('rate_limit_exceeded', message, null, RETRY_SOON)
}
