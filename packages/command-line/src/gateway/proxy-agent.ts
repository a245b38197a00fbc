// The agent that leads a request of node:http through the proxy, with CONNECT: the proxy sees a name and a port, and for an encrypted
// address nothing else. Installers run it on the machine's own Node, which may be old.

import type { Agent, ClientRequest } from 'node:http'
import type { Socket } from 'node:net'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import { HttpsProxyAgent } from 'https-proxy-agent'
import { CommandError } from '../errors.ts'
import { chooseProxy, describeProxy, type ChosenProxy, type Environment } from './choose-proxy.ts'

/** For one request. Undefined if it goes there directly. The signal ends the wait for the proxy, which the request's own signal can't. */
export function proxyAgent(target: URL, environment: Environment, signal: AbortSignal): Agent | undefined {
  const proxy = chooseProxy(target, environment)
  return proxy && new Tunnel(target, proxy, signal)
}

type ConnectOptions = Parameters<HttpsProxyAgent<string>['connect']>[1]

class Tunnel extends HttpsProxyAgent<string> {
  readonly #isSecure: boolean
  readonly #proxy: ChosenProxy
  readonly #signal: AbortSignal
  readonly #dialing: AbortController

  constructor(target: URL, proxy: ChosenProxy, signal: AbortSignal) {
    // The given signal may outlive the wait, and must not end what runs through the tunnel later.
    const dialing = new AbortController()
    super(proxy.address.href, { signal: dialing.signal })
    this.#signal = signal
    this.#isSecure = target.protocol === 'https:' || target.protocol === 'wss:'
    this.#proxy = proxy
    this.#dialing = dialing
    this.on('proxyConnect', ({ statusCode }: { statusCode: number }, request: ClientRequest) => {
      // Otherwise the library takes what the proxy says for the answer of the target.
      if (statusCode !== 200) request.destroy(refusal(proxy, statusCode))
    })
  }

  /** From the address, not from a look at the stack, as the library does: it decides whether there is TLS. */
  override isSecureEndpoint(): boolean {
    return this.#isSecure
  }

  override async connect(request: ClientRequest, options: ConnectOptions): Promise<Socket> {
    const { host } = options
    const giveUp = (): void => this.#dialing.abort(this.#signal.reason)
    this.#signal.addEventListener('abort', giveUp, { once: true })
    // The library would compare the certificate with the name of the proxy if the target has an address instead of a name.
    const identity = (_: string, certificate: PeerCertificate) => checkServerIdentity(host ?? '', certificate)
    try {
      this.#signal.throwIfAborted()
      return await super.connect(request, { ...options, checkServerIdentity: identity } as ConnectOptions)
    } catch (cause) {
      this.#signal.throwIfAborted()
      const { setting, address } = this.#proxy
      throw new CommandError(`Can't reach the proxy ${address.host} of ${setting}`, `check ${setting}`, { cause })
    } finally {
      this.#signal.removeEventListener('abort', giveUp)
    }
  }
}

function refusal(proxy: ChosenProxy, status: number): CommandError {
  const advice =
    status === 407
      ? `add the user name and password to ${proxy.setting}: http://user:password@proxy:port`
      : `ask the proxy's administrator to allow it, or add its name to NO_PROXY if it can be reached without a proxy (${describeProxy(proxy)})`
  return new CommandError(
    `The proxy ${proxy.address.host} of ${proxy.setting} refused the connection (status ${status})`,
    advice,
  )
}
