// Requests of an attacker. Whatever happens to one is a result, not an error.

import { request, type Agent, type ClientRequest, type IncomingMessage } from 'node:http'

export interface Sending {
  method?: string
  path: string
  key?: string
  body?: string | Uint8Array
  /** Keeps the connection for the next request; each has its own otherwise. */
  agent?: Agent
}

/** The status; 'dropped' if the connection was lost before one came. */
export type Fate = number | 'dropped'

/** Reads the reply to its end and forgets it. */
export async function sendRequest(origin: string, sending: Sending): Promise<Fate> {
  const { promise, resolve } = Promise.withResolvers<Fate>()
  const sent = startRequest(origin, sending, (response) => {
    response.resume().once('close', () => resolve(response.statusCode ?? 0))
  })
  sent.once('error', () => resolve('dropped'))
  return promise
}

export function startRequest(
  origin: string,
  { method = 'POST', path, key, body, agent }: Sending,
  onResponse: (response: IncomingMessage) => void,
): ClientRequest {
  const sent = request(new URL(path, origin), {
    method,
    agent: agent ?? false,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    },
  })
  sent.once('response', onResponse)
  sent.end(body)
  return sent
}
