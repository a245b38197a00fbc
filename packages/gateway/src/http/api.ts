// /openai/v1 on plain node:http. Checks run in this order: prefix and OPTIONS, key, route, body, then the operation itself.

import type { IncomingMessage } from 'node:http'
import { authenticate, confirm } from '../access/authenticate.ts'
import { prefixScope } from '../access/prefix-scope.ts'
import type { Hold } from '../budget/byte-budget.ts'
import { admitLoad, admitRequest } from '../chat/admit.ts'
import { createChatCompletion, type ChatContext } from '../chat/chat-completions.ts'
import type { LargeRequests } from '../chat/large-requests.ts'
import { listModels, retrieveModel } from '../chat/models.ts'
import { prepareChat, type PreparedChat } from '../chat/prepare-chat.ts'
import type { ReadLimits } from '../chat/read-chat-request.ts'
import { sendError } from '../chat/send-error.ts'
import { ApiError, toApiError, type ApiErrorCode } from '../errors.ts'
import type { LoadLimit } from '../load/load-limit.ts'
import type { NodeOutlet } from './node-outlet.ts'
import { readBody, scanBody, type Body } from './read-body.ts'
import type { ReplyOutlet } from './reply-outlet.ts'
import { findOperation, type Operation } from './routes.ts'

export interface ApiContext extends ChatContext {
  maxBodyBytes: number
  limits: ReadLimits
  largeRequests: LargeRequests
  load: LoadLimit
  isDraining: () => boolean
  /** Called when a request with a known key is rejected before it becomes a job. */
  onRefused: (refused: RefusedCall) => void
  /** Called with internal errors and the request or device concerned. Their messages never reach a client. */
  onInternalError: (error: unknown, where: string) => void
}

export interface RefusedCall {
  requestId: string
  caller: Caller
  /** As the client wrote it; empty if it is not known. */
  model: string
  code: ApiErrorCode
}

/** `path` is relative to the prefix. */
export function handleApi(request: IncomingMessage, path: string, outlet: NodeOutlet, context: ApiContext): void {
  if (request.method === 'OPTIONS') return answerPreflight(request, outlet)
  let caller: Caller | undefined
  try {
    caller = authenticate(oneAuthorization(request), context.book)
    outlet.chargeTo(context.budgets.replies, caller)
    const operation = findOperation(request.method ?? '', path)
    if (operation.name === 'create-chat-completion') void complete(request, caller, outlet, context)
    else outlet.json(200, answerModels(operation, caller, context))
  } catch (error) {
    fail(error, outlet, context, caller)
  }
}

const LARGE_BYTES = 256 * 1024
const LARGE_VALUES = 5_000

type Caller = ReturnType<typeof authenticate>

async function complete(
  request: IncomingMessage,
  caller: Caller,
  outlet: NodeOutlet,
  context: ApiContext,
): Promise<void> {
  const hold = context.budgets.requests.open(caller)
  try {
    if (context.isDraining()) throw draining(outlet)
    admit(caller, outlet, context)
    const body = await readBody(request, context.maxBodyBytes, hold)
    await start(body, caller, outlet, hold, context)
  } catch (error) {
    hold.release()
    fail(error, outlet, context, caller)
  }
}

/** For a request to create a chat completion that is here as a whole, as `quick/` reads it. */
export function completeQuickly(authorization: string, bytes: Buffer, outlet: ReplyOutlet, context: ApiContext): void {
  let hold: Hold | undefined
  let caller: Caller | undefined
  try {
    caller = authenticate(authorization, context.book)
    outlet.chargeTo(context.budgets.replies, caller)
    hold = context.budgets.requests.open(caller)
    admit(caller, outlet, context)
    const body = scanBody(bytes, hold)
    if (isLarge(body)) void startLater(body, caller, outlet, hold, context)
    else startNow(prepareChat(bytes, context.limits, prefixScope(caller)), caller, outlet, hold, context)
  } catch (error) {
    hold?.release()
    fail(error, outlet, context, caller)
  }
}

function admit(caller: Caller, outlet: ReplyOutlet, { load, limiter }: ApiContext): void {
  admitLoad(caller, load)
  outlet.onClose(() => load.leave(caller.organization))
  admitRequest(caller, limiter)
}

async function startLater(...[body, caller, outlet, hold, context]: Parameters<typeof start>): Promise<void> {
  try {
    await start(body, caller, outlet, hold, context)
  } catch (error) {
    hold.release()
    fail(error, outlet, context, caller)
  }
}

async function start(body: Body, caller: Caller, outlet: ReplyOutlet, hold: Hold, context: ApiContext): Promise<void> {
  const chat = isLarge(body)
    ? await prepareLarge(body, caller, outlet, context)
    : prepareChat(body.bytes, context.limits, prefixScope(caller))
  confirm(caller, context.book)
  startNow(chat, caller, outlet, hold, context)
}

function startNow(
  chat: PreparedChat | undefined,
  caller: Caller,
  outlet: ReplyOutlet,
  hold: Hold,
  context: ApiContext,
): void {
  if (!chat || outlet.isClosed) return hold.release()
  outlet.onClose(() => hold.release())
  try {
    createChatCompletion(chat, caller, outlet, hold, context)
  } catch (error) {
    hold.release()
    fail(error, outlet, context, caller, chat.shape.model)
  }
}

/** Parsing anything smaller takes a millisecond or two. */
function isLarge({ bytes, values }: Body): boolean {
  return bytes.length > LARGE_BYTES || values > LARGE_VALUES
}

function prepareLarge(
  { bytes }: Body,
  caller: Caller,
  outlet: ReplyOutlet,
  { largeRequests }: ApiContext,
): Promise<PreparedChat | undefined> {
  return largeRequests.prepare(caller.organization, bytes, () => !outlet.isClosed, prefixScope(caller))
}

function answerModels(
  operation: Exclude<Operation, { name: 'create-chat-completion' }>,
  caller: Caller,
  { book }: ApiContext,
): string {
  return operation.name === 'list-models' ? listModels(caller, book) : retrieveModel(operation.model, caller, book)
}

function fail(thrown: unknown, outlet: ReplyOutlet, context: ApiContext, caller?: Caller, model = ''): void {
  if (!(thrown instanceof ApiError)) context.onInternalError(thrown, outlet.requestId)
  if (outlet.status !== 0) return
  const error = toApiError(thrown)
  sendError(outlet, error)
  if (caller) context.onRefused({ requestId: outlet.requestId, caller, model, code: error.code })
}

/** Two Authorization headers count as none: node:http would silently use the first. */
export function oneAuthorization(request: IncomingMessage): string | undefined {
  const raw = request.rawHeaders
  let seen = 0
  for (let index = 0; index < raw.length; index += 2)
    if (raw[index]!.length === 13 && raw[index]!.toLowerCase() === 'authorization') seen++
  return seen === 1 ? request.headers.authorization : undefined
}

// The CORS preflight. Any origin is allowed, because a browser never sends a key on its own.
function answerPreflight(request: IncomingMessage, outlet: NodeOutlet): void {
  outlet.header('access-control-allow-methods', 'GET, POST, OPTIONS')
  outlet.header(
    'access-control-allow-headers',
    request.headers['access-control-request-headers'] ?? 'authorization, content-type',
  )
  outlet.header('access-control-max-age', '86400')
  outlet.header('vary', 'access-control-request-headers')
  outlet.empty(204)
}

function draining(outlet: NodeOutlet): ApiError {
  outlet.closeConnection()
  return new ApiError('service_unavailable', 'The service is restarting. Please try again.', null, {
    'retry-after': '1',
  })
}
