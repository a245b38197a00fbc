// An HTTP server with the APIs of SearXNG, Brave and Tavily, and a few pages to read.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { closeServer, listen } from '@hearth/command-line/testing/listen'

export interface FoundPage {
  url: string
  title: string
  text: string
}

export interface StandInSearch {
  readonly url: string
  /** Every search so far, with its parameters and headers. */
  readonly searches: { path: string; terms: Record<string, string>; headers: IncomingMessage['headers'] }[]
  results: FoundPage[]
  /** Returned instead of results. */
  fault: { status: number; body: string } | 'silent' | undefined
  /** Rejects queries with a country. */
  knowsNoCountries: boolean
  /** Pages by path. */
  readonly pages: Map<string, (response: ServerResponse, request: IncomingMessage) => void>
  stop(): Promise<void>
}

export async function startStandInSearch(): Promise<StandInSearch> {
  const state: StandInSearch = {
    url: '',
    searches: [],
    results: [],
    fault: undefined,
    knowsNoCountries: false,
    pages: new Map(),
    stop: () => closeServer(server),
  }
  const server = createServer((request, response) => void answer(request, response, state))
  return Object.assign(state, { url: await listen(server) })
}

async function answer(request: IncomingMessage, response: ServerResponse, state: StandInSearch): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in')
  const page = state.pages.get(pathname)
  if (page !== undefined) return page(response, request)
  const terms = request.method === 'POST' ? await readJson(request) : Object.fromEntries(searchParams)
  state.searches.push({ path: pathname, terms, headers: request.headers })
  if (state.fault === 'silent') return
  if (state.fault !== undefined) return void response.writeHead(state.fault.status).end(state.fault.body)
  if (state.knowsNoCountries && terms['country'] !== undefined) return void response.writeHead(422).end('{}')
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(shape(pathname, state.results)))
}

function shape(path: string, results: readonly FoundPage[]): unknown {
  if (path === '/res/v1/web/search')
    return {
      web: {
        results: results.map(({ url, title, text }) => ({ url, title, description: `<strong>${text}</strong>` })),
      },
    }
  return {
    query: '',
    results: results.map(({ url, title, text }) => ({ url, title, content: text, score: 1 })),
    answers: [],
  }
}

async function readJson(request: IncomingMessage): Promise<Record<string, string>> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return JSON.parse(Buffer.concat(parts).toString()) as Record<string, string>
}
