// Sets up the network before a program uses it: the machine's proxies and certificates, for the whole process.

import http, { setGlobalProxyFromEnv, type Agent } from 'node:http'
import https from 'node:https'
import { setDefaultCACertificates } from 'node:tls'
import { chooseProxy, type Environment } from './choose-proxy.ts'
import { knownAuthorities } from './known-authorities.ts'
import { proxyAgent } from './proxy-agent.ts'

/** Call once, before the first request. */
export function prepareNetwork(environment: Environment): void {
  useProxies(environment)
  trustSystemCertificates(environment)
}

/** What `fetch` sends with, as far as we need it. */
interface Dispatcher {
  dispatch(request: { origin?: string | URL }, handler: unknown): boolean
}

/** Where undici, which is Node's `fetch`, keeps it. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.2')
const places = globalThis as Record<symbol, unknown>
/** Its own agents have this. */
const AS_NODE = { keepAlive: true, scheduling: 'lifo', timeout: 5_000 } as const
const NO_PROXY = { http_proxy: 'http://proxy.invalid', https_proxy: 'http://proxy.invalid', no_proxy: '*' }

/** For `fetch`. Node's own choice would show proxies this machine's addresses, and knows neither ALL_PROXY nor ranges in NO_PROXY. */
export function useProxies(environment: Environment): void {
  const direct = dispatcherWith(NO_PROXY)
  const byProxy = new Map<string, Dispatcher>()
  const through = (proxy: string): Dispatcher => {
    const known = byProxy.get(proxy) ?? dispatcherWith({ http_proxy: proxy, https_proxy: proxy, no_proxy: ',' })
    byProxy.set(proxy, known)
    return known
  }
  const chosen: Dispatcher = {
    dispatch(request, handler) {
      const proxy = chooseProxy(new URL(request.origin ?? ''), environment)
      return (proxy === undefined ? direct : through(proxy.address.href)).dispatch(request, handler)
    },
  }
  places[DISPATCHER] = chosen
  // With NODE_USE_ENV_PROXY, Node has chosen for these already.
  http.globalAgent = new http.Agent(AS_NODE)
  https.globalAgent = new https.Agent(AS_NODE)
  prepared = environment
}

let prepared: Environment = {}

/** That the network was prepared with. */
export function preparedEnvironment(): Environment {
  return prepared
}

/** For a request of node:http, which goes directly otherwise. */
export function preparedAgent(target: URL, signal: AbortSignal): Agent | undefined {
  return proxyAgent(target, prepared, signal)
}

/** Node gives its dispatchers to nobody, so it sets one for all, and this takes it back. */
function dispatcherWith(settings: Record<string, string>): Dispatcher {
  const restore = setGlobalProxyFromEnv(settings)
  const made = places[DISPATCHER]
  restore()
  if (isDispatcher(made)) return made
  throw new Error(`This Node (${process.version}) keeps its proxies elsewhere`)
}

function isDispatcher(value: unknown): value is Dispatcher {
  return typeof value === 'object' && value !== null && 'dispatch' in value
}

let isTrusted = false

/** Reading them takes a while, and they count for the whole process. */
function trustSystemCertificates(environment: Environment): void {
  if (isTrusted) return
  isTrusted = true
  setDefaultCACertificates(knownAuthorities(environment))
}
