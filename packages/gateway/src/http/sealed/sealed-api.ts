// /sealed/v1, which hearth-seal uses: sealed chat requests, and the seal of an organization with its lists. Errors are those of /openai/v1.

import { ApiError, type NodeOutlet } from '@hearth/chat'
import type { Caller } from '../../access/book/access-book.ts'
import { findModel } from '../../chat/find-model.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import type { Store } from '../../store/store.ts'
import { completeChat, identify, type ApiContext } from '../api/api.ts'
import { rejectCall } from '../api/reject-call.ts'
import { allowMethods } from '../allow-methods.ts'
import { clientAddress } from '../client-address.ts'
import { oneAuthorization } from '../one-authorization.ts'
import type { Call, Route } from '../route.ts'
import { KeptLists } from './kept-lists.ts'
import { OnlineDevices } from './online-devices.ts'
import { putLists } from './put-lists.ts'
import { SealLimiter } from './seal-limiter.ts'

export interface SealedContext extends ApiContext {
  store: Pick<Store, 'readSealing' | 'readListNumbers' | 'putSignedLists'>
  fleet: Fleet
  addressHeader: string
}

const CHAT = '/sealed/v1/chat/completions'
const SEAL = '/sealed/v1/seal'

export function createSealedRoute(context: SealedContext): Route {
  const api = new SealedApi(context)
  return {
    kind: 'api',
    paths: ['/sealed/v1/*'],
    has: (path) => path.startsWith('/sealed/v1/'),
    answer: (call) => api.answer(call),
  }
}

class SealedApi {
  readonly #context: SealedContext
  readonly #lists: KeptLists
  readonly #devices: OnlineDevices
  readonly #limiter = new SealLimiter()

  constructor(context: SealedContext) {
    this.#context = context
    this.#lists = new KeptLists(context)
    this.#devices = new OnlineDevices(context.fleet, context.book)
  }

  async answer(call: Call): Promise<void> {
    const { request, path, outlet } = call
    let caller: Caller | undefined
    try {
      caller = identify(oneAuthorization(request), outlet, this.#context)
      if (path === CHAT) await this.#complete(call, caller)
      else if (path === SEAL) await this.#answerSeal(call, caller)
      else throw new ApiError('unknown_url', `Invalid URL (${request.method} ${path.slice(0, 256)}).`)
    } catch (error) {
      rejectCall(error, outlet, this.#context, caller)
    }
  }

  async #complete({ request, path, outlet }: Call, caller: Caller): Promise<void> {
    allowMethods(request, path, ['POST'])
    await completeChat(request, caller, outlet, this.#context, 'sealed')
  }

  async #answerSeal({ request, path, outlet }: Call, caller: Caller): Promise<void> {
    allowMethods(request, path, ['GET', 'PUT'])
    if (request.method === 'GET') return this.#describe(request.url ?? '', caller, outlet)
    this.#limiter.countPut(caller.organization)
    const hold = this.#context.budgets.requests.open(caller)
    outlet.onClose(() => hold.close())
    await putLists(request, caller, clientAddress(request, this.#context.addressHeader), hold, this.#context)
    outlet.empty(204)
  }

  async #describe(url: string, caller: Caller, outlet: NodeOutlet): Promise<void> {
    this.#limiter.countRead(caller.key)
    const model = new URLSearchParams(url.split('?', 2)[1]).get('model') ?? undefined
    if (model !== undefined) findModel(model, caller, this.#context.book)
    const { organization } = caller
    const [lists, online] = await Promise.all([this.#lists.describe(organization), this.#devices.list(caller, model)])
    outlet.json(200, `{"organization":${JSON.stringify(organization)},${lists},"online":${JSON.stringify(online)}}`)
  }
}
