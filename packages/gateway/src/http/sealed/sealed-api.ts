// /sealed/v1, which hearth-seal uses: sealed chat requests, and the seal of an organization with its lists. Errors are those of /openai/v1.

import { hash } from 'node:crypto'
import { ApiError, SharedBytes } from '@hearth/chat'
import type { Caller } from '../../access/book/access-book.ts'
import { findModel } from '../../chat/find-model.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import type { Store } from '../../store/store.ts'
import { completeChat, identify, type ApiContext } from '../api/api.ts'
import { rejectCall } from '../api/reject-call.ts'
import { allowMethods, clientAddress, oneAuthorization } from '../request-head.ts'
import type { IdentifyDevice } from '../link/identify-device.ts'
import type { Call, Route } from '../route.ts'
import { KeptLists } from './kept-lists.ts'
import { OnlineDevices } from './online-devices.ts'
import { putLists } from './put-lists.ts'
import { SealLimiter } from './seal-limiter.ts'

export interface SealedContext extends ApiContext {
  store: Pick<Store, 'readSealing' | 'readListNumbers' | 'putSignedLists'>
  fleet: Fleet
  addressHeader: string
  identify: IdentifyDevice
}

const CHAT = '/sealed/v1/chat/completions'
const SEAL = '/sealed/v1/seal'
const DEVICE_SEAL = '/device/v1/seal'

/** For clients, and the lists alone for devices: they look there which apps they may install. */
export function createSealedRoutes(context: SealedContext): [clients: Route, devices: Route] {
  const api = new SealedApi(context)
  return [
    {
      kind: 'api',
      paths: ['/sealed/v1/*'],
      has: (path) => path.startsWith('/sealed/v1/'),
      answer: (call) => api.answer(call),
    },
    {
      kind: 'device',
      paths: [DEVICE_SEAL],
      has: (path) => path === DEVICE_SEAL,
      answer: (call) => api.answerDevice(call),
    },
  ]
}

const END = Buffer.from('}')

class SealedApi {
  readonly #context: SealedContext
  readonly #lists: KeptLists
  readonly #devices: OnlineDevices
  readonly #limiter = new SealLimiter()

  constructor(context: SealedContext) {
    this.#context = context
    const { book, fleet, store, budgets } = context
    this.#lists = new KeptLists({ store, book, budget: budgets.replies })
    this.#devices = new OnlineDevices(fleet, book, budgets.replies)
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

  async answerDevice({ request, path, outlet }: Call): Promise<void> {
    allowMethods(request, path, ['GET'])
    const { organization, id } = this.#context.identify(request)
    outlet.chargeTo(this.#context.budgets.replies, { organization, key: id })
    this.#limiter.reads.count(id)
    const { json } = await this.#lists.describe(organization)
    this.#limiter.bytes.count(organization, json.bytes.length)
    outlet.shared(200, 'application/json', [json, new SharedBytes(END, this.#context.budgets.replies, organization)])
  }

  async #complete({ request, path, outlet }: Call, caller: Caller): Promise<void> {
    allowMethods(request, path, ['POST'])
    await completeChat(request, caller, outlet, this.#context, 'sealed')
  }

  async #answerSeal(call: Call, caller: Caller): Promise<void> {
    const { request, path, outlet } = call
    allowMethods(request, path, ['GET', 'PUT'])
    if (request.method === 'GET') return this.#describe(call, caller)
    this.#limiter.puts.count(caller.organization)
    const reservation = this.#context.budgets.requests.open(caller)
    outlet.onClose(() => reservation.close())
    await putLists(request, caller, clientAddress(request, this.#context.addressHeader), reservation, this.#context)
    outlet.empty(204)
  }

  async #describe({ request, outlet }: Call, caller: Caller): Promise<void> {
    this.#limiter.reads.count(caller.key)
    const model = new URLSearchParams(request.url?.split('?', 2)[1]).get('model') ?? undefined
    if (model !== undefined) findModel(model, caller, this.#context.book)
    const { organization } = caller
    const [lists, online] = await Promise.all([this.#lists.describe(organization), this.#devices.list(caller, model)])
    const etag = `"${hash('sha256', lists.edition + online.digest, 'base64url')}"`
    outlet.header('etag', etag)
    if (request.headers['if-none-match'] === etag) return outlet.empty(304)
    this.#limiter.bytes.count(organization, lists.json.bytes.length + online.json.bytes.length)
    outlet.shared(200, 'application/json', [lists.json, online.json])
  }
}
