// /openai/v1. Checks run in this order: prefix and OPTIONS, key, route, body, then the operation itself.

import type { IncomingMessage } from 'node:http'
import { shuttingDown, readBody, scanBody, type NodeOutlet, type ReplyOutlet } from '@hearth/chat'
import type { AccessBook, Caller } from '../../access/book/access-book.ts'
import { authenticate } from '../../access/authenticate.ts'
import { mostSealedBytes } from '../../chat/prepare-sealed.ts'
import type { RequestKind } from '../../chat/sealing-mode.ts'
import { oneAuthorization } from '../request-head.ts'
import type { Call, Route } from '../route.ts'
import { ChatCall, type ChatCallContext } from './chat-call.ts'
import { findOperation, pathInApi, type Operation } from './operations.ts'
import { rejectCall } from './reject-call.ts'
import type { Model } from '../../store/models.ts'
import { mayUse, modelNotFound, usableModels } from '../../chat/find-model.ts'

export interface ApiContext extends ChatCallContext {
  maxBodyBytes: number
  isDraining: () => boolean
}

export function createApiRoute(context: ApiContext): Route {
  return {
    kind: 'api',
    paths: ['/openai/v1/*'],
    has: (path) => pathInApi(path) !== undefined,
    answer: (call) => handleApi(call, context),
  }
}

async function handleApi({ request, path, outlet }: Call, context: ApiContext): Promise<void> {
  if (request.method === 'OPTIONS') return answerPreflight(request, outlet)
  let caller: Caller | undefined
  try {
    caller = identify(oneAuthorization(request), outlet, context)
    const operation = findOperation(request.method ?? '', pathInApi(path) ?? '')
    if (operation.name === 'create-chat-completion') await completeChat(request, caller, outlet, context)
    else outlet.json(200, answerModels(operation, caller, context.book))
  } catch (error) {
    rejectCall(error, outlet, context, caller)
  }
}

/** Answers a request to create a chat completion that is here as a whole, as `quick/` reads it. */
export function answerChat(
  authorization: string,
  bytes: Buffer,
  outlet: ReplyOutlet,
  kind: RequestKind,
  context: ApiContext,
): void {
  let caller: Caller | undefined
  try {
    caller = identify(authorization, outlet, context)
    const call = ChatCall.admit(caller, outlet, context, kind)
    call.start(scanBody(bytes, call.reservation))
  } catch (error) {
    rejectCall(error, outlet, context, caller)
  }
}

export function identify(
  authorization: string | undefined,
  outlet: ReplyOutlet,
  { book, budgets }: Pick<ApiContext, 'book' | 'budgets'>,
): Caller {
  const caller = authenticate(authorization, book)
  outlet.chargeTo(budgets.replies, caller)
  return caller
}

export async function completeChat(
  request: IncomingMessage,
  caller: Caller,
  outlet: NodeOutlet,
  context: ApiContext,
  kind: RequestKind = 'plain',
): Promise<void> {
  if (context.isDraining()) {
    outlet.closeConnection()
    throw shuttingDown()
  }
  const call = ChatCall.admit(caller, outlet, context, kind)
  const { maxBodyBytes } = context
  const maxBytes = kind === 'sealed' ? mostSealedBytes(maxBodyBytes) : maxBodyBytes
  const body = await readBody(request, maxBytes, call.reservation)
  call.confirm()
  call.start(body)
}

function answerModels(
  operation: Exclude<Operation, { name: 'create-chat-completion' }>,
  caller: Caller,
  book: AccessBook,
): string {
  return operation.name === 'list-models' ? listModels(caller, book) : retrieveModel(operation.model, caller, book)
}

// The CORS preflight. Any origin is allowed, because a browser never sends a key on its own.
function answerPreflight(request: IncomingMessage, outlet: NodeOutlet): void {
  outlet.header('access-control-allow-methods', 'GET, POST, OPTIONS')
  outlet.header(
    'access-control-allow-headers',
    request.headers['access-control-request-headers'] ?? 'authorization, content-type',
  )
  // A page from the internet asks whether it may call a gateway in a private network. It may: it still needs a key.
  if (request.headers['access-control-request-private-network'] === 'true')
    outlet.header('access-control-allow-private-network', 'true')
  outlet.header('access-control-max-age', '86400')
  outlet.header('vary', 'access-control-request-headers, access-control-request-private-network')
  outlet.empty(204)
}

// The enabled models of an organization, whether or not a device serves them right now.
function listModels(caller: Caller, book: AccessBook): string {
  return JSON.stringify({ object: 'list', data: usableModels(caller, book).map(shapeModel) })
}

function retrieveModel(name: string, caller: Caller, book: AccessBook): string {
  const model = book.models(caller.organization).get(name)
  if (model?.state !== 'enabled' || !mayUse(caller, name)) throw modelNotFound(name, usableModels(caller, book))
  return JSON.stringify(shapeModel(model))
}

function shapeModel({ name, createdAt, ownedBy }: Model) {
  return { id: name, object: 'model', created: Math.floor(createdAt.getTime() / 1000), owned_by: ownedBy }
}
