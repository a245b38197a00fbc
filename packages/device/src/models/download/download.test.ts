import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startEndless, startFileServer, type FileServer } from '../../testing/file-server.ts'
import { sha256 } from '../../testing/stand-ins/hub-files.ts'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { download, DOWNLOAD_WORLD, type DownloadWorld } from './download.ts'
import type { DownloadProgress } from '../../news.ts'
import { SpeedMeter } from './speed-meter.ts'

const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 31) % 251))
const never = new AbortController().signal
const quick: Partial<DownloadWorld> = { retryMs: [1, 1, 1] }

async function begin() {
  const server = await startFileServer(content)
  const target = join(scratchFolder(), 'models', 'model.gguf')
  let waiting: { bytes: number; arrived: () => void }[] = []
  const get = (options: Partial<DownloadWorld> = quick, hash?: string, signal = never) => {
    const onProgress = (progress: DownloadProgress): void => {
      options.onProgress?.(progress)
      for (const { arrived } of waiting.filter(({ bytes }) => progress.doneBytes >= bytes)) arrived()
    }
    return download(
      { url: server.url, target, ...(hash === undefined ? {} : { sha256: hash }) },
      { ...options, onProgress },
      signal,
    )
  }
  /** The connection breaks when the file has grown to this size. */
  const cutAt = (bytes: number, from = 0): void => {
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting = [...waiting, { bytes, arrived: resolve }]
    server.faults.push({ cutAfter: bytes - from, until: promise })
  }
  return { server, target, get, cutAt }
}

describe('download', () => {
  it('puts the complete file in place, with progress, and leaves nothing else behind', async () => {
    const { target, get } = await begin()
    const seen: DownloadProgress[] = []
    const { sha256: hash } = await get({ onProgress: (progress) => seen.push(progress) }, sha256(content))
    expect(hash).toBe(sha256(content))
    expect(readFileSync(target).equals(content)).toBe(true)
    expect(readdirSync(join(target, '..'))).toEqual(['model.gguf'])
    expect(seen.at(-1)).toMatchObject({ doneBytes: content.length, totalBytes: content.length, secondsLeft: 0 })
    expect(seen.at(-1)!.bytesPerSecond).toBeGreaterThan(0)
  })

  it('measures speed over the last few seconds', () => {
    let now = 0
    const meter = new SpeedMeter(() => now)
    let seen: DownloadProgress | undefined
    for (let tick = 1; tick <= 2_000; tick += 1) {
      now = tick * 10
      const bytes = tick <= 1_000 ? 100 : 1_000
      seen = meter.measure(tick, bytes, 1_000_000)
    }
    // Only the fast second half counts: 1,000 bytes every 10 ms.
    expect(seen!.bytesPerSecond).toBeCloseTo(100_000, -4)
    expect(seen!.secondsLeft).toBeCloseTo(998_000 / seen!.bytesPerSecond)
  })

  it('resumes after a lost connection, from the byte where it stopped', async () => {
    const { server, target, get, cutAt } = await begin()
    cutAt(100_000)
    cutAt(150_000, 100_000)
    await get()
    expect(readFileSync(target).equals(content)).toBe(true)
    expect(server.ranges).toEqual(['', 'bytes=100000-', 'bytes=150000-'])
  })

  it('resumes after the app was stopped', async () => {
    const { server, target, get, cutAt } = await begin()
    cutAt(100_000)
    await expect(get({ retryMs: [] })).rejects.toThrow(/Can't download from 127.0.0.1/)
    const kept = statSync(`${target}.partial`).size
    expect(kept).toBe(100_000)
    await get()
    expect(server.ranges[1]).toBe(`bytes=${kept}-`)
    expect(server.headers[1]!['if-range']).toBe('"first"')
    expect(readFileSync(target).equals(content)).toBe(true)
  })

  it.each<[string, Partial<FileServer>]>([
    ['the file at the source has changed', { content: Buffer.from(content.toReversed()), etag: '"second"' }],
    ['the server does not support ranges', { ignoresRanges: true }],
    ['the server says that there is nothing more', { content: content.subarray(0, 10) }],
  ])('starts over if %s', async (_, change) => {
    const { server, target, get, cutAt } = await begin()
    cutAt(100_000)
    await expect(get({ retryMs: [] })).rejects.toThrow()
    Object.assign(server, change)
    await get()
    expect(readFileSync(target).equals(server.content)).toBe(true)
  })

  it('drops a stalled connection and resumes', async () => {
    const { server, target, get } = await begin()
    server.faults.push({ stallAfter: 70_000 })
    await get({ ...quick, stallMs: 2_000 })
    expect(server.ranges).toHaveLength(2)
    expect(readFileSync(target).equals(content)).toBe(true)
  })

  it.each([
    ['of unknown length', 'bytes 100000-299999/*', 300_000],
    ['that is empty', 'bytes 100000-99999/300000', undefined],
  ])('does not ask forever for more of a part %s', async (_, range, whole) => {
    const { target, get, cutAt, server } = await begin()
    cutAt(100_000)
    await expect(get({ retryMs: [] })).rejects.toThrow()
    const asked: unknown[] = []
    const answer = (async (...request: unknown[]) => {
      asked.push(request)
      const rest = whole === undefined ? Buffer.alloc(0) : content.subarray(100_000)
      return new Response(new Uint8Array(rest), { status: 206, headers: { 'content-range': range, etag: server.etag } })
    }) as typeof fetch
    const done = get({ retryMs: [1], fetch: answer })
    if (whole === undefined) await expect(done).rejects.toThrow(/the connection was lost/)
    else expect((await done).sha256).toBe(sha256(content))
    expect(asked.length).toBeLessThan(4)
    expect(existsSync(target)).toBe(whole !== undefined)
  })

  it('deletes a file with the wrong checksum', async () => {
    const { target, get } = await begin()
    await expect(get(quick, '0'.repeat(64))).rejects.toThrow(/checksum/)
    expect(existsSync(target)).toBe(false)
    expect(existsSync(`${target}.partial`)).toBe(false)
  })

  it('says that the disk is full, keeps the partial file, and resumes later', async () => {
    const { server, target, get } = await begin()
    let written = 0
    const full = {
      ...quick,
      write: async (...write: Parameters<DownloadWorld['write']>) => {
        if (written > 60_000) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
        written += write[1].length
        await DOWNLOAD_WORLD.write(...write)
      },
    }
    await expect(get(full)).rejects.toThrow(/the disk is full/)
    const kept = statSync(`${target}.partial`).size
    expect(kept).toBeGreaterThan(0)
    await get()
    expect(server.ranges.at(-1)).toBe(`bytes=${kept}-`)
    expect(readFileSync(target).equals(content)).toBe(true)
  })

  it('stops before the disk is fuller than the reserve, however much the server sends', async () => {
    const { url } = await startEndless(content)
    const target = join(scratchFolder(), 'models', 'model.gguf')
    let written = 0
    const disk: Partial<DownloadWorld> = {
      ...quick,
      reserveBytes: 50_000_000,
      // A disk of 100 MB.
      freeBytes: () => 100_000_000 - written,
      write: (_, chunk) => Promise.resolve((written += chunk.length)),
    }
    await expect(download({ url, target }, disk, never)).rejects.toThrow(
      /^The download stopped because the disk is almost full: \d+\.\d MB free/,
    )
    expect(written).toBeGreaterThan(20_000_000)
    expect(written).toBeLessThan(50_000_000)
  })

  it('does not stop a file that had room when it started', async () => {
    const { target, get } = await begin()
    let written = 0
    const disk: Partial<DownloadWorld> = {
      reserveBytes: 1_000,
      freeBytes: () => 1_000 + 16 * 1024 * 1024 + content.length - written,
      write: async (file, chunk, position) => {
        written += chunk.length
        await DOWNLOAD_WORLD.write(file, chunk, position)
      },
    }
    await get(disk)
    expect(readFileSync(target).equals(content)).toBe(true)
  })

  it('deletes a file that is longer than announced', async () => {
    const { url } = await startEndless(content)
    const target = join(scratchFolder(), 'models', 'model.gguf')
    await expect(download({ url, target, maxBytes: 1_000_000 }, quick, never)).rejects.toThrow(
      'model.gguf is larger than expected: at most 1.0 MB',
    )
    expect(readdirSync(join(target, '..'))).toEqual([])
    const { server, target: other } = await begin()
    await expect(download({ url: server.url, target: other, maxBytes: 1_000 }, quick, never)).rejects.toThrow(/1\.0 KB/)
    expect(readdirSync(join(other, '..'))).toEqual([])
  })

  it('gives up on a server that sends the same pieces again and again', async () => {
    const { target, get, server } = await begin()
    const parts = ['0-99999', '0-49999', '50000-99999', '0-49999']
    let asked = 0
    const answer = (async () => {
      const range = parts[asked++ % parts.length]!
      const [start, last] = range.split('-').map(Number) as [number, number]
      const headers = { 'content-range': `bytes ${range}/300000`, etag: server.etag }
      return new Response(new Uint8Array(content.subarray(start, last + 1)), { status: 206, headers })
    }) as typeof fetch
    await expect(get({ ...quick, fetch: answer })).rejects.toThrow(/the same piece again/)
    expect(asked).toBeLessThan(10)
    expect(existsSync(target)).toBe(false)
  })

  it.each([
    [404, /status 404/],
    [401, /requires a login/],
  ])('does not retry after status %i', async (status, message) => {
    const { server, get } = await begin()
    server.faults.push({ status })
    await expect(get()).rejects.toThrow(message)
    expect(server.ranges).toHaveLength(1)
  })

  it('retries after a server error', async () => {
    const { server, target, get } = await begin()
    server.faults.push({ status: 503 }, { status: 500 })
    await get()
    expect(existsSync(target)).toBe(true)
  })

  it('rejects a second download of the same file, but ignores a process that is gone', async () => {
    const { target, get } = await begin()
    const first = get()
    await expect(get()).rejects.toThrow(/already being downloaded/)
    await first
    const { target: other, get: again } = await begin()
    await again()
    writeFileSync(`${other}.lock`, '999999999')
    expect((await again()).sha256).toBe(sha256(content))
    expect(target).not.toBe(other)
  })
})
