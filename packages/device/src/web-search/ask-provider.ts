// One HTTP request to a search provider: limited in time and size, without redirects, JSON only.

import { readBounded, TooLong } from '../outside/read-bounded.ts'
import { SearchError } from './search-provider.ts'

export interface ProviderRequest {
  /** The provider's name, for messages. */
  provider: string
  url: URL
  headers?: Record<string, string>
  /** Sent as JSON with POST; absent means GET. */
  body?: unknown
  /** Explains a status to the owner. */
  advice?: Partial<Record<number, string>>
}

const ANSWER_MS = 8_000
const MAX_BYTES = 4 * 1024 * 1024

export async function askProvider(request: ProviderRequest, signal: AbortSignal): Promise<unknown> {
  const { provider, url, headers, body, advice } = request
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)])
  try {
    const response = await fetch(url, {
      redirect: 'error',
      signal: bounded,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })
    if (!response.ok) throw rejection(provider, response.status, advice)
    return JSON.parse(await readBounded(response, MAX_BYTES)) as unknown
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof SearchError) throw error
    if (error instanceof TooLong) throw new SearchError(`${provider} returned too much data`)
    const what = error instanceof SyntaxError ? "didn't return JSON" : "can't be reached"
    throw new SearchError(`${provider} ${bounded.aborted ? 'timed out' : what}`)
  }
}

function rejection(provider: string, status: number, advice: ProviderRequest['advice']): SearchError {
  const hint = advice?.[status]
  const message = `${provider} returned status ${status}${hint === undefined ? '' : `: ${hint}`}`
  return new SearchError(message, { isRejection: status === 400 || status === 422 })
}
