// One GET request, through the proxy from the environment if there is one. Installers run it on the machine's own Node, whose `fetch` may be
// too old for proxies.

import { request, type IncomingMessage } from 'node:http'
import { request as secureRequest } from 'node:https'
import { CommandError, describeError } from '../errors.ts'
import { adviseConnection } from '../gateway/advise-connection.ts'
import type { Environment } from '../gateway/choose-proxy.ts'
import { proxyAgent } from '../gateway/proxy-agent.ts'

export interface GetOptions {
  environment: Environment
  maxBytes: number
  timeoutMs: number
  headers?: Readonly<Record<string, string>>
  /** Instead of those that Node trusts. */
  authorities?: readonly string[] | undefined
}

export interface GetAnswer {
  status: number
  body: Buffer
}

/** Follows no redirects: the download gets executed, so it must come from the gateway itself. */
export async function httpGet(url: URL, options: GetOptions): Promise<GetAnswer> {
  const answer = await send(url, options).catch((error: unknown) => {
    throw new CommandError(describeError(error), adviseConnection(error, url, options.environment), { cause: error })
  })
  return { status: answer.statusCode ?? 0, body: await readAll(answer, options.maxBytes) }
}

function send(url: URL, { environment, timeoutMs, headers = {}, authorities }: GetOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const dial = url.protocol === 'https:' ? secureRequest : request
    const signal = AbortSignal.timeout(timeoutMs)
    const agent = proxyAgent(url, environment, signal) ?? false
    dial(url, { headers, agent, signal, ...(authorities && { ca: [...authorities] }) })
      .once('response', resolve)
      .once('error', reject)
      // A server that switches to another protocol ends the request without either of them.
      .once('close', () => reject(new Error('the connection was closed without an answer')))
      .end()
  })
}

async function readAll(answer: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    parts.push(part)
    bytes += part.length
    if (bytes > maxBytes) throw new Error(`the response is larger than ${maxBytes} bytes`)
  }
  return Buffer.concat(parts)
}
