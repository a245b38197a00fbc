import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseDeviceFrames, type Library, type ModelReply, type ModelRequestFrame } from '@hearth/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CommandError } from '@hearth/command-line/errors'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import type { FoundFile } from '../../models/found/found-file.ts'
import type { LookedUp } from '../../models/model-store.ts'
import type { ModelEntry } from '../../models/registry/registry.ts'
import type { FoundServer, Permission, PullNews } from '../../news.ts'
import { ForbiddenAddress } from '../../outside/web-rules.ts'
import { readSettings } from '../../settings/read-settings.ts'
import { stateFolder } from '../../state/folder.ts'
import { createEchoEngine, ECHO_MODEL } from '../../testing/echo-engine.ts'
import { createManualClock, settle } from '../../testing/manual-clock.ts'
import { ModelLibrary, type LibraryOptions } from './library.ts'

type Unnumbered = ModelRequestFrame extends infer Frame
  ? Frame extends unknown
    ? Omit<Frame, 'request'>
    : never
  : never

interface Pull {
  reference: string
  onNews: (news: PullNews) => void
  signal: AbortSignal
  finish: () => void
  fail: (error: Error) => void
}

const BIG = 5_000_000_000
const OLLAMA = 'http://127.0.0.1:11434'
const fits = (name: string, bytes = BIG): LookedUp => ({
  hits: [],
  description: { name, quantizations: [], candidates: [{ bytes, fit: { fits: true }, isChosen: true }] },
})

type Store = LibraryOptions['store']

function begin(given: { home?: string; permission?: Permission; free?: number; lookUp?: Store['lookUp'] } = {}) {
  const state = stateFolder(given.home ?? scratchFolder())
  const entryOf = (name: string, bytes: number): ModelEntry => {
    return { name, path: join(state.models, `${name}.gguf`), source: name, bytes }
  }
  const entries: ModelEntry[] = [entryOf('here', 7)]
  const pulls: Pull[] = []
  const discarded: string[] = []
  const said: string[] = []
  const libraries: Library[] = []
  const unblocked: string[] = []
  const files = Array.from({ length: 60 }, (_, index): FoundFile => {
    return { name: `m${index}`, place: 'Ollama', path: `/ollama/blobs/${index}`, bytes: 7, quant: 'Q4_K_M' }
  })
  const found: FoundServer = { url: OLLAMA, product: 'ollama', title: 'Ollama', models: ['a', 'b'], isServed: false }
  const jobs = { running: 1 }
  const clock = createManualClock()
  const store: Store = {
    list: () => [...entries],
    lookUp: given.lookUp ?? ((reference) => Promise.resolve(fits(reference))),
    pull: (reference, { onNews, signal }) => {
      const { promise, resolve, reject } = Promise.withResolvers<ModelEntry>()
      const entry = entryOf(reference, BIG)
      const finish = (): void => {
        entries.push(entry)
        resolve(entry)
      }
      signal.addEventListener('abort', () => reject(signal.reason as Error))
      pulls.push({ reference, onNews, signal, finish, fail: reject })
      return promise
    },
    discard: (reference) => void discarded.push(reference),
    remove: (name) => {
      const index = entries.findIndex((entry) => entry.name === name)
      const [entry] = entries.splice(index, 1)
      return { entry: entry!, freedBytes: BIG }
    },
    memory: () => Promise.resolve(16e9),
    foundFiles: () => Promise.resolve([...files]),
  }
  const library = new ModelLibrary({
    state,
    settings: readSettings({ flags: {}, environment: {} }).settings,
    world: { clock, downloads: { freeBytes: () => given.free ?? 100e9 } },
    store,
    login: { identity: () => expect.unreachable() },
    offer: createEchoEngine({ models: [{ ...ECHO_MODEL, name: 'here' }] }),
    servers: {
      seen: () => [found],
      serve: (url) => url === OLLAMA && (found.isServed = true),
    },
    permission: () => ({ allowed: true }),
    remoteChanges: () => given.permission ?? { allowed: true },
    isIdle: () => jobs.running === 0,
    unblock: (model) => unblocked.push(model),
    tell: (frame) => frame.type === 'library' && libraries.push(frame.library),
    say: (text) => said.push(text),
    onPull: () => {},
    onChange: () => {},
    signal: new AbortController().signal,
  })
  library.start()
  onTestFinished(() => library.stop())
  let asked = 0
  const ask = (frame: Unnumbered): Promise<ModelReply> => library.answer({ ...frame, request: `r${++asked}` })
  const fetch = (source: string, by = 'Ada'): Promise<ModelReply> => ask({ type: 'model-fetch', source, by })
  const done = { pulls, discarded, said, libraries, unblocked }
  return { library, downloads: () => library.downloads.asked(), ask, fetch, entries, jobs, clock, ...done, state }
}

describe('the files that other programs keep', () => {
  it('are told to the console without their paths, as many as people look through', async () => {
    const { libraries } = begin()
    await settle()
    const told = libraries.at(-1)?.files
    expect(told?.[0]).toEqual({ name: 'm0', source: 'found:m0', bytes: 7, quant: 'Q4_K_M', keptBy: 'Ollama' })
    expect([told?.length, JSON.stringify(libraries).includes('/ollama')]).toEqual([40, false])
  })

  it('are not told if they are served already', async () => {
    const { libraries, entries, library } = begin()
    await settle()
    entries.push({ name: 'm0', path: '/ollama/blobs/0', source: 'found:m0', bytes: 7 })
    library.refresh()
    expect(libraries.at(-1)?.files?.[0]?.name).toBe('m1')
  })

  it('are neither looked for nor told where the owner does not allow changes', async () => {
    const { libraries } = begin({ permission: { allowed: false, why: 'its owner said no' } })
    await settle()
    expect(libraries.at(-1)).not.toHaveProperty('files')
  })
})

describe('a local server of the machine', () => {
  it('is told to the console, and served if someone asks for it there', async () => {
    const { ask, libraries, said, library } = begin()
    const server = { url: OLLAMA, name: 'Ollama', models: 2 }
    expect(libraries.at(-1)?.servers).toEqual([{ ...server, isServed: false }])
    expect((await ask({ type: 'server-add', server: OLLAMA, by: 'Ada' })).problem).toBeUndefined()
    library.refresh()
    expect(libraries.at(-1)?.servers).toEqual([{ ...server, isServed: true }])
    expect(said).toEqual([`Ada asked in the console to serve the models of ${OLLAMA}`])
  })

  it('is neither told nor served where the owner does not allow changes', async () => {
    const { ask, libraries, said } = begin({ permission: { allowed: false, why: 'its owner said no' } })
    expect(libraries.at(-1)).not.toHaveProperty('servers')
    const { problem } = await ask({ type: 'server-add', server: OLLAMA, by: 'Ada' })
    expect([problem?.code, said]).toEqual(['not-allowed', []])
  })

  it.each(['http://169.254.169.254', 'http://127.0.0.1:22', 'file:///etc/passwd', ''])(
    'is none that the device has not found: %s',
    async (server) => {
      const { ask, said } = begin()
      const { problem } = await ask({ type: 'server-add', server, by: 'Ada' })
      expect([problem?.code, said]).toEqual(['not-found', []])
    },
  )
})

describe('a download that someone asks for in the console', () => {
  it('runs, reports its progress and says who asked', async () => {
    const { fetch, pulls, downloads, said, entries, libraries } = begin()
    expect(await fetch('qwen3:8b')).toEqual({
      type: 'model-reply',
      request: 'r1',
      found: { name: 'qwen3:8b', source: 'qwen3:8b', bytes: BIG, memoryBytes: expect.any(Number) },
    })
    const news = { doneBytes: 1, totalBytes: 4, bytesPerSecond: 2.4 }
    pulls[0]!.onNews({ type: 'progress', label: 'q', progress: news })
    expect(downloads()).toEqual([
      {
        model: 'qwen3:8b',
        source: 'qwen3:8b',
        by: 'Ada',
        state: 'downloading',
        doneBytes: 1,
        totalBytes: 4,
        bytesPerSecond: 2,
      },
    ])
    pulls[0]!.onNews({ type: 'progress', label: 'q', progress: { ...news, doneBytes: 4 } })
    expect(downloads()).toMatchObject([{ state: 'verifying' }])
    pulls[0]!.finish()
    await settle()
    expect(downloads()).toEqual([])
    expect(entries.map(({ name }) => name)).toContain('qwen3:8b')
    expect(libraries.at(-1)!.models.map(({ name }) => name)).toContain('qwen3:8b')
    expect(said[0]).toBe('Ada asked in the console to download qwen3:8b (5.0 GB)')
  })

  it('is no download, and needs no room on the disk, if another program has the file already', async () => {
    const { fetch, downloads, said } = begin({ free: 0 })
    expect((await fetch('found:qwen3:8b')).problem).toBeUndefined()
    expect(downloads()).toMatchObject([{ source: 'found:qwen3:8b', state: 'verifying' }])
    expect(said[0]).toBe('Ada asked in the console to use the file of found:qwen3:8b (5.0 GB)')
  })

  it('is one download, however many people ask for it at once', async () => {
    const { fetch, pulls, downloads } = begin()
    const replies = await Promise.all([fetch('qwen3:8b', 'Ada'), fetch('qwen3:8b', 'Grace')])
    expect(replies.map(({ found }) => found?.name)).toEqual(['qwen3:8b', 'qwen3:8b'])
    expect(pulls.length).toBe(1)
    expect(downloads()).toMatchObject([{ by: 'Ada' }])
  })

  it('is one of a few: a list without an end would not fit into a frame', async () => {
    const { fetch, ask, downloads, discarded } = begin()
    for (let index = 0; index < 40; index += 1) await fetch(`model-${index}`)
    expect(downloads()).toHaveLength(32)
    expect((await fetch('one-more')).problem).toMatchObject({
      code: 'no-room',
      remedy: expect.stringMatching(/cancel/),
    })
    expect((await fetch('model-3')).problem).toBeUndefined()
    await ask({ type: 'model-cancel', model: 'model-3', by: 'Ada' })
    expect(discarded).toEqual(['model-3'])
    expect((await fetch('one-more')).problem).toBeUndefined()
  })

  it('fails with a reason that fits into a frame', async () => {
    const { fetch, pulls, downloads } = begin()
    await fetch('qwen3:8b')
    pulls[0]!.fail(new CommandError(`Can't download ${'x'.repeat(5_000)}`))
    await settle()
    const all = downloads()
    const frames: unknown[] = []
    parseDeviceFrames(JSON.stringify({ type: 'downloads', downloads: all }), (frame) => frames.push(frame))
    expect(frames).toEqual([{ type: 'downloads', downloads: all }])
  })

  it('says that an address is not allowed, and how the owner can allow it', async () => {
    const describe = (): Promise<never> =>
      Promise.reject(new ForbiddenAddress("this address is in the owner's private network", 'The owner can allow it'))
    const { fetch, downloads } = begin({ lookUp: describe })
    const problem = { code: 'not-allowed', message: expect.stringMatching(/private/), remedy: 'The owner can allow it' }
    expect((await fetch('https://10.0.0.1/x.gguf')).problem).toEqual(problem)
    expect(downloads()).toEqual([])
  })

  it('looks up only a few models at once', async () => {
    const held = Promise.withResolvers<LookedUp>()
    const { ask } = begin({ lookUp: () => held.promise })
    const asked = Array.from({ length: 20 }, (_, index) =>
      ask({ type: 'model-look-up', source: `model-${index}`, by: 'Ada' }),
    )
    held.resolve(fits('model'))
    const problems = (await Promise.all(asked)).filter(({ problem }) => problem !== undefined)
    expect(problems).toHaveLength(12)
    expect((await ask({ type: 'model-look-up', source: 'later', by: 'Ada' })).problem).toBeUndefined()
  })

  it('keeps the secrets of its address on the machine, and continues with them', async () => {
    const signed = 'https://ann:secret@host/x.gguf?signature=secret'
    const describe = () => Promise.resolve(fits('x'))
    const { ask, fetch, pulls, downloads, libraries } = begin({ lookUp: describe })
    const replies = [await fetch(signed)]
    await ask({ type: 'model-pause', model: 'x', by: 'Ada' })
    const [{ source = '' } = {}] = downloads()
    expect(source).toBe('https://host/x.gguf')
    replies.push(await fetch(source))
    expect(pulls.map(({ reference }) => reference)).toEqual([signed, signed])
    pulls[1]!.fail(new Error(`Can't download ${signed}`))
    await settle()
    expect(downloads()).toMatchObject([{ state: 'failed', problem: "Can't download https://host/x.gguf" }])
    replies.push(await fetch(source))
    pulls[2]!.finish()
    await settle()
    expect(libraries.at(-1)?.models.at(-1)).toMatchObject({ source: 'https://host/x.gguf' })
    expect(JSON.stringify(replies)).not.toContain('secret')
  })

  it('is gone when it is canceled, with everything that came', async () => {
    const { fetch, ask, pulls, downloads, discarded, entries } = begin()
    await fetch('qwen3:8b')
    expect(await ask({ type: 'model-cancel', model: 'qwen3:8b', by: 'Ada' })).not.toHaveProperty('problem')
    expect(pulls[0]!.signal.aborted).toBe(true)
    expect([discarded, downloads(), entries.length]).toEqual([['qwen3:8b'], [], 1])
    expect(await ask({ type: 'model-cancel', model: 'qwen3:8b', by: 'Ada' })).toMatchObject({
      problem: { code: 'not-found', message: 'it is not downloading qwen3:8b any more' },
    })
  })

  it('says why it failed, and can be tried again', async () => {
    const { fetch, pulls, downloads } = begin()
    await fetch('qwen3:8b')
    await fetch('next')
    pulls[0]!.fail(new CommandError('The connection was lost', 'check your network'))
    await settle()
    expect(downloads()).toMatchObject([
      { state: 'failed', problem: 'The connection was lost → check your network' },
      { model: 'next', state: 'downloading' },
    ])
    pulls[1]!.finish()
    await settle()
    await fetch('qwen3:8b')
    expect(pulls.map(({ reference }) => reference)).toEqual(['qwen3:8b', 'next', 'qwen3:8b'])
  })

  it('goes on after a restart of the app, unless it was paused', async () => {
    const before = begin()
    await before.fetch('paused')
    await before.ask({ type: 'model-pause', model: 'paused', by: 'Ada' })
    await before.fetch('running')
    await before.library.stop()
    const after = begin({ home: before.state.path })
    expect(after.downloads()).toMatchObject([
      { model: 'paused', state: 'paused', by: 'Ada' },
      { model: 'running', state: 'downloading', by: 'Ada' },
    ])
    expect(after.pulls.map(({ reference }) => reference)).toEqual(['running'])
  })

  it('is not needed if the model is here already', async () => {
    const { fetch, pulls } = begin()
    expect(await fetch('here')).toMatchObject({ found: { name: 'here' } })
    expect(pulls).toEqual([])
  })
})

describe('a request from the console', () => {
  it('is refused if the owner does not allow it', async () => {
    const { fetch, pulls, libraries } = begin({ permission: { allowed: false, why: 'its owner turned this off' } })
    expect(await fetch('qwen3:8b')).toMatchObject({
      problem: { code: 'not-allowed', message: "It doesn't allow this: its owner turned this off" },
    })
    expect(pulls).toEqual([])
    expect(libraries[0]).toMatchObject({ isOpen: false, why: 'its owner turned this off' })
  })

  it('is refused if the disk or the memory is too small, with what is missing', async () => {
    const full = begin({ free: 3_000_000_000 })
    expect(await full.fetch('qwen3:8b')).toMatchObject({
      problem: {
        code: 'no-room',
        message: 'its disk is too full: the model needs 5.0 GB, and 3.0 GB are free',
        remedy: 'free up 2.5 GB there, for example by removing a model',
      },
    })
    const small = begin({
      lookUp: async (name) => ({
        hits: [],
        description: {
          name,
          quantizations: [{ quant: 'Q4_K_M', name, source: `${name}-q4_k_m`, bytes: BIG }],
          candidates: [{ bytes: BIG, fit: { fits: false, missingBytes: 2_000_000_000 }, isChosen: false }],
        },
      }),
    })
    expect(await small.fetch('qwen3:8b')).toMatchObject({
      problem: { message: "qwen3:8b doesn't fit into its memory: it needs 1.9 GB more" },
    })
    expect(await small.ask({ type: 'model-look-up', source: 'qwen3:8b', by: 'Ada' })).toMatchObject({
      found: { bytes: BIG, quantizations: [{ quant: 'Q4_K_M', bytes: BIG }] },
    })
    expect([full.pulls, small.pulls, existsSync(full.state.downloads)]).toEqual([[], [], false])
  })

  it('for a model that does not exist says so, and leaves nothing behind', async () => {
    const { fetch, downloads, state } = begin({
      lookUp: () => Promise.reject(new CommandError("Can't find qwen33", 'did you mean qwen3:8b?')),
    })
    expect(await fetch('qwen33')).toMatchObject({
      problem: { code: 'not-found', message: "Can't find qwen33", remedy: 'did you mean qwen3:8b?' },
    })
    expect([downloads(), existsSync(state.downloads)]).toEqual([[], false])
  })

  it('that is no reference gets what a search found, and starts no download', async () => {
    const hits = [{ source: 'hf:maker/Coder-GGUF', downloads: 5 }]
    const { ask, fetch, pulls } = begin({ lookUp: () => Promise.resolve({ hits }) })
    expect(await ask({ type: 'model-look-up', source: 'a coder', by: 'Ada' })).toMatchObject({ hits })
    expect(await fetch('a coder')).toMatchObject({ problem: { code: 'not-found' } })
    expect(pulls).toEqual([])
  })

  it('accepts the blocked requests of a model again, and tells the owner who asked', async () => {
    const { ask, unblocked, said } = begin()
    expect(await ask({ type: 'model-unblock', model: 'here', by: 'Ada' })).not.toHaveProperty('problem')
    expect(unblocked).toEqual(['here'])
    expect(said).toEqual(['Ada asked in the console to accept the blocked requests of here again'])
  })

  it.each<[string, number, (bench: ReturnType<typeof begin>) => unknown]>([
    ['once its jobs are done', 1, ({ jobs }) => (jobs.running = 0)],
    ['at once if it has no jobs', 0, () => undefined],
    ['when its time is up, whatever runs', 1, ({ clock }) => clock.advance(120_000)],
  ])('removes a model %s, and offers it to nobody meanwhile', async (_, running, end) => {
    const bench = begin()
    const { ask, library, jobs, entries, said, libraries } = bench
    const offered: number[] = []
    library.offer.onChange(() => offered.push(library.offer.models().length))
    jobs.running = running
    expect(await ask({ type: 'model-remove', model: 'here', by: 'Ada' })).toMatchObject({ freedBytes: 7 })
    library.jobsChanged()
    expect([offered, entries.length]).toEqual([[0], running])
    await end(bench)
    library.jobsChanged()
    expect([entries, libraries.at(-1)!.models]).toEqual([[], []])
    expect(said).toEqual(['Ada asked in the console to remove here'])
    expect(await ask({ type: 'model-remove', model: 'here', by: 'Ada' })).toMatchObject({
      problem: { code: 'not-found' },
    })
  })
})
