// An HTTP server with the API of Hugging Face: file lists, search, and downloads that redirect to a second server with range requests.
// Repositories may require a license, and downloads can be cut, held back or refused.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { closeServer, listen } from '@hearth/command-line/testing/listen'
import { sha256, StandInFiles } from './hub-files.ts'

export interface StandInRepository {
  /** By path. */
  files: Record<string, Buffer>
  license?: string
  downloads?: number
  /** Only these tokens may download. */
  acceptedBy?: readonly string[]
}

export interface StandInHub {
  readonly url: string
  /** By `owner/name`. */
  readonly repositories: Map<string, StandInRepository>
  /** Every request to the API, as method and path. */
  readonly requests: string[]
  /** The server that downloads are redirected to. */
  readonly files: StandInFiles
  /** Cuts every connection right away, as if there were no network. */
  isAway: boolean
  stop(): Promise<void>
}

const REVISION = 'c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00'

export async function startStandInHub(repositories: Record<string, StandInRepository> = {}): Promise<StandInHub> {
  const files = new StandInFiles()
  const fileServer = createServer((request, response) => files.answer(request, response))
  const hubServer = createServer((request, response) => answer(request, response, hub))
  const hub: StandInHub = {
    url: '',
    repositories: new Map(Object.entries(repositories)),
    requests: [],
    files,
    isAway: false,
    async stop() {
      files.release()
      await Promise.all([closeServer(hubServer), closeServer(fileServer)])
    },
  }
  files.url = await listen(fileServer)
  return Object.assign(hub, { url: await listen(hubServer) })
}

function answer(request: IncomingMessage, response: ServerResponse, hub: StandInHub): void {
  if (hub.isAway) return void request.socket.destroy()
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://hub')
  hub.requests.push(`${request.method} ${pathname}`)
  if (pathname === '/api/models') return sendJson(response, search(hub, searchParams.get('search') ?? ''))
  const [, listed, listedRevision] = /^\/api\/models\/([^/]+\/[^/]+)\/tree\/([^/]+)$/.exec(pathname) ?? []
  if (listed !== undefined) return sendList(response, hub.repositories.get(listed), listedRevision!)
  const [, id, revision, path] = /^\/([^/]+\/[^/]+)\/resolve\/([^/]+)\/(.+)$/.exec(pathname) ?? []
  if (id === undefined) return void response.writeHead(404).end()
  return redirect(request, response, hub, { id, revision: revision!, path: decodeURIComponent(path!) })
}

function search({ repositories }: StandInHub, words: string): unknown {
  const wanted = words.toLowerCase().split(/\s+/)
  const found = [...repositories].filter(([id]) => wanted.every((word) => id.toLowerCase().includes(word)))
  const byDownloads = found.toSorted(([, one], [, other]) => (other.downloads ?? 0) - (one.downloads ?? 0))
  return byDownloads.map(([id, { acceptedBy, license, downloads = 0 }]) => ({
    id,
    downloads,
    tags: ['gguf', ...(license === undefined ? [] : [`license:${license}`])],
    gated: acceptedBy === undefined ? false : 'manual',
  }))
}

function sendList(response: ServerResponse, repository: StandInRepository | undefined, revision: string): void {
  if (repository === undefined) return refuse(response, 401, 'RepoNotFound')
  if (revision !== 'main' && revision !== REVISION) return refuse(response, 404, 'RevisionNotFound')
  const entries = Object.entries(repository.files).map(([path, bytes]) => {
    const oid = sha256(bytes)
    return { type: 'file', oid: oid.slice(0, 40), path, size: bytes.length, lfs: { oid, size: bytes.length } }
  })
  return sendJson(response, entries)
}

interface Wanted {
  id: string
  revision: string
  path: string
}

/** As the hub does it: the digest is in the headers of the redirect, and the address it leads to is signed. */
function redirect(request: IncomingMessage, response: ServerResponse, hub: StandInHub, wanted: Wanted): void {
  const repository = hub.repositories.get(wanted.id)
  if (repository === undefined) return refuse(response, 401, 'RepoNotFound')
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  if (repository.acceptedBy !== undefined && (token === undefined || !repository.acceptedBy.includes(token)))
    return refuse(response, token === undefined ? 401 : 403, 'GatedRepo')
  const bytes = repository.files[wanted.path]
  if (bytes === undefined) return refuse(response, 404, 'EntryNotFound')
  const headers = { 'x-repo-commit': REVISION, 'x-linked-size': String(bytes.length) }
  const etag = `"${sha256(bytes)}"`
  return void response.writeHead(302, { ...headers, 'x-linked-etag': etag, location: hub.files.sign(bytes) }).end()
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'x-error-code': code, 'content-type': 'application/json' }).end('{"error":"refused"}')
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
