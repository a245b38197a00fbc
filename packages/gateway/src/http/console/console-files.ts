// Serves the built console: its files, and its single page for every URL that a person opens in a browser. The names of built files contain
// a hash of their content, so they never change; the page that refers to them is revalidated every time.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { readFile, stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { errorCode } from '../../error-code.ts'

const FOLDER = fileURLToPath(new URL('../../../../console/built', import.meta.url))

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const HEADERS = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
}

/** Paths that programs use: an unknown one gets an error, never the page. */
const NOT_PAGES = /^\/(api|openai|assets|device\/.*|v1|metrics|healthz|readyz)(\/|$)/

/** A file name, alone or below assets, so a path cannot leave the folder. */
const FILE = /^\/(assets\/)?[\w-]+(\.[\w-]+)+$/

/** Errors about a path that is not a file. */
const MISSING = new Set<string | undefined>(['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'])

const MISSING_CONSOLE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Hearth</title>
<main><h1>The console is missing</h1>
<p>Its files belong in <code>packages/console/built</code>, where the gateway is installed. Get them back from the repository, then reload this page.</p>
<p>The API under <code>/openai/v1</code> works without it, and so does the command line: <code>hearth admin --help</code>.</p></main></html>
`

interface File {
  content: Buffer
  type: string
  version: string
  isImmutable: boolean
  /** By encoding, compressed on first use. */
  packed: Map<string, Promise<Buffer>>
}

export class ConsoleFiles {
  readonly #folder: string
  readonly #files = new Map<string, File>()

  constructor(folder = FOLDER) {
    this.#folder = folder
  }

  /** False if there is no such file or page. */
  async answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<boolean> {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    const file = FILE.test(path) ? await this.#find(path) : undefined
    if (file) return await this.#send(request, response, file)
    if (!isPage(request, path)) return false
    const page = await this.#find('/index.html')
    if (page) return await this.#send(request, response, page)
    response.writeHead(503, { ...HEADERS, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    response.end(MISSING_CONSOLE)
    return true
  }

  async #find(path: string): Promise<File | undefined> {
    const known = this.#files.get(path)
    if (known?.isImmutable) return known
    try {
      const { mtimeMs, size } = await stat(this.#folder + path)
      const version = `W/"${size.toString(36)}-${Math.trunc(mtimeMs).toString(36)}"`
      if (known?.version === version) return known
      const file = await this.#read(path, version)
      this.#files.set(path, file)
      return file
    } catch (error) {
      if (MISSING.has(errorCode(error))) return undefined
      throw error
    }
  }

  async #read(path: string, version: string): Promise<File> {
    return {
      content: await readFile(this.#folder + path),
      type: TYPES[extname(path)] ?? 'application/octet-stream',
      version,
      isImmutable: path.startsWith('/assets/'),
      packed: new Map(),
    }
  }

  async #send(request: IncomingMessage, response: ServerResponse, file: File): Promise<true> {
    const headers = {
      ...HEADERS,
      'content-type': file.type,
      'cache-control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
      etag: file.version,
      vary: 'accept-encoding',
    }
    if (request.headers['if-none-match'] === file.version) {
      response.writeHead(304, headers).end()
      return true
    }
    const encoding = chooseEncoding(request.headers['accept-encoding'])
    const body = encoding ? await pack(file, encoding) : file.content
    const packedAs = encoding && { 'content-encoding': encoding }
    response.writeHead(200, { ...headers, ...packedAs, 'content-length': body.length })
    response.end(request.method === 'HEAD' ? undefined : body)
    return true
  }
}

// Browsers ask for HTML; programs accept anything.
function isPage(request: IncomingMessage, path: string): boolean {
  return !NOT_PAGES.test(path) && (request.headers.accept?.includes('text/html') ?? false)
}

type Encoding = 'br' | 'gzip'

function chooseEncoding(accepted: string | string[] | undefined): Encoding | undefined {
  const names = String(accepted ?? '')
    .split(',')
    .map((name) => name.trim())
  return (['br', 'gzip'] as const).find((name) => names.includes(name))
}

async function pack({ content, packed }: File, encoding: Encoding): Promise<Buffer> {
  const before = packed.get(encoding)
  if (before) return before
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
  const after =
    encoding === 'br' ? promisify(brotliCompress)(content, { params }) : promisify(gzip)(content, { level: 9 })
  packed.set(encoding, after)
  return after
}
