import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { serveHere } from '@hearth/command-line/testing/serve-here'
import { describe, expect, it } from 'vitest'
import { sendPiece, readSharedPiece, sharedModels } from './shared-models.ts'
import type { PullNews } from '../../news.ts'
import { sha256 as digestOf } from '../../testing/stand-ins/hub-files.ts'
import { makeGguf } from '../../testing/make-gguf.ts'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { pullModel } from '../pull/pull.ts'
import type { ModelEntry } from '../registry/registry.ts'
import { createSiblings } from './siblings.ts'
import { parseSource } from '../pull/source.ts'

const never = new AbortController().signal
const content = makeGguf({ elements: 50_000 })
const sha256 = digestOf(content)
const PIECE = 30_000
const NAME = 'unsloth--Qwen3-8B-GGUF--Qwen3-8B-Q4_K_M.gguf'

/** A gateway whose other device has the model, in small pieces. */
async function startGateway(parts: { has?: unknown; faults?: number[] } = {}) {
  const ranges: string[] = []
  const faults = parts.faults ?? []
  const has = parts.has ?? { name: 'qwen3:8b', quant: 'Q4_K_M', files: [{ name: NAME, bytes: content.length, sha256 }] }
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.headers.authorization !== 'Bearer secret') return void response.writeHead(401).end()
    if (request.url?.startsWith('/base/device/v1/relay/models?')) return void response.end(JSON.stringify(has))
    if (request.url !== `/base/device/v1/relay/files/${sha256}`) return void response.writeHead(404).end()
    ranges.push(request.headers.range ?? '')
    const fault = faults.shift()
    if (fault !== undefined && fault > 0) return void response.writeHead(fault).end()
    const start = Number(/\d+/.exec(request.headers.range ?? '')?.[0])
    const piece = content.subarray(start, start + PIECE)
    const range = `bytes ${start}-${start + piece.length - 1}/${content.length}`
    response.writeHead(206, { etag: `"${sha256}"`, 'content-range': range, 'content-length': piece.length }).end(piece)
  }
  return { gateway: new URL(`${await serveHere(createServer(answer))}/base`), ranges }
}

function begin(gateway: URL, fits = true) {
  const folder = join(scratchFolder(), 'models')
  const news: PullNews[] = []
  const away = (() => Promise.reject(new TypeError('fetch failed'))) as typeof fetch
  const pull = (reference: string) =>
    pullModel(
      parseSource(reference),
      reference,
      undefined,
      {
        folder,
        hub: { hub: new URL('https://hub.example.com'), fetch: away, token: undefined },
        run: () => Promise.resolve({ code: undefined, stdout: '', stderr: '' }),
        onNews: (item) => news.push(item),
        judge: () => Promise.resolve(() => (fits ? { fits: true } : { fits: false, missingBytes: 1 })),
        foundFiles: () => Promise.resolve([]),
        siblings: createSiblings({ login: () => ({ gateway, credential: 'secret' }), fetch }),
        download: { retryMs: [1, 1] },
      },
      never,
    )
  return { folder, news, pull }
}

describe('a model from another device', () => {
  it('comes piece by piece, verified, when the hub cannot be reached', async () => {
    const { gateway, ranges } = await startGateway()
    const { pull, news, folder } = begin(gateway)
    const entry = await pull('qwen3:8b')
    expect(entry).toMatchObject({ name: 'qwen3:8b', path: join(folder, NAME), quant: 'Q4_K_M', sha256 })
    expect(readFileSync(entry.path).equals(content)).toBe(true)
    expect(ranges).toEqual(Array.from({ length: 7 }, (_, index) => `bytes=${index * PIECE}-`))
    expect(news).toContainEqual({ type: 'step', text: expect.stringContaining('Another device of your organization') })
  })

  it('waits for a busy device, and continues a download that the hub began', async () => {
    const { gateway, ranges } = await startGateway({ faults: [503, 0, 503] })
    const { pull, folder } = begin(gateway)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${NAME}.partial`), content.subarray(0, 100_000))
    writeFileSync(join(folder, `${NAME}.partial.json`), JSON.stringify({ url: 'https://hub.example.com/x', sha256 }))
    const entry = await pull('qwen3:8b')
    expect(ranges.slice(0, 2)).toEqual(['bytes=100000-', 'bytes=100000-'])
    expect(readFileSync(entry.path).equals(content)).toBe(true)
  })

  it.each([
    ['a path', { files: [{ name: '../../evil.gguf', bytes: 1, sha256 }] }],
    ['no checksum', { files: [{ name: 'x.gguf', bytes: 1 }] }],
    ['no files', { files: [] }],
  ])('is not taken with %s', async (_, has) => {
    const { gateway } = await startGateway({ has })
    await expect(begin(gateway).pull('qwen3:8b')).rejects.toThrow(/Can't reach hub.example.com/)
  })

  it('is not taken if it does not fit, or is another quantization than the one asked for', async () => {
    const { gateway } = await startGateway()
    await expect(begin(gateway, false).pull('qwen3:8b')).rejects.toThrow(/Can't reach hub.example.com/)
    await expect(begin(gateway).pull('qwen3:8b-q8_0')).rejects.toThrow(/Can't reach hub.example.com/)
  })
})

describe('what a device shares', () => {
  function library() {
    const folder = join(scratchFolder(), 'models')
    mkdirSync(folder, { recursive: true })
    const path = join(folder, NAME)
    writeFileSync(path, content)
    const entry: ModelEntry = { name: 'qwen3:8b', path, source: 'qwen3:8b', bytes: content.length, sha256 }
    return { folder, entry }
  }

  it('is what it downloaded, not the files of its owner', () => {
    const { folder, entry } = library()
    const own = { ...entry, name: 'mine', path: '/home/ann/mine.gguf' }
    expect(sharedModels([entry, own], folder)).toEqual([
      { name: 'qwen3:8b', source: 'qwen3:8b', files: [{ name: NAME, bytes: content.length, sha256 }] },
    ])
  })

  it('is found by its source, without the secrets of an address', () => {
    const { folder, entry } = library()
    const signed = { ...entry, source: 'https://ann:secret@host/x.gguf?signature=secret' }
    expect(sharedModels([signed], folder)).toMatchObject([{ source: 'https://host/x.gguf' }])
  })

  it('is read from the offset that is asked for, and nothing else is', async () => {
    const { folder, entry } = library()
    const piece = { type: 'piece-wanted', transfer: 't', sha256, offset: 1_000, bytes: 50 } as const
    expect(await readSharedPiece(piece, [entry], folder)).toEqual(content.subarray(1_000, 1_050))
    expect(await readSharedPiece({ ...piece, sha256: 'b'.repeat(64) }, [entry], folder)).toHaveLength(0)
    expect(await readSharedPiece(piece, [{ ...entry, path: join(folder, 'gone.gguf') }], folder)).toHaveLength(0)
  })

  it('is sent to the gateway with the login of the device', async () => {
    const { folder, entry } = library()
    const sent: { url: string; init: RequestInit | undefined }[] = []
    const remember = ((url: URL, init?: RequestInit) => {
      sent.push({ url: url.href, init })
      return Promise.resolve(new Response(null, { status: 204 }))
    }) as typeof fetch
    const login = { gateway: new URL('https://hearth.example.com/base'), credential: 'secret' }
    const piece = { type: 'piece-wanted', transfer: 't', sha256, offset: 0, bytes: 10 } as const
    await sendPiece(piece, { login, entries: [entry], folder, fetch: remember }, never)
    expect(sent[0]!.url).toBe('https://hearth.example.com/base/device/v1/relay/pieces/t')
    expect(new Headers(sent[0]!.init?.headers).get('authorization')).toBe('Bearer secret')
    expect(Buffer.from(sent[0]!.init?.body as Uint8Array)).toEqual(content.subarray(0, 10))
  })
})
