import { writeOllamaModel } from '../testing/ollama-folder.ts'
import { findFiles } from './found/find-files.ts'
import type { ModelDescription } from './pull/describe-reference.ts'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { PullNews } from '../news.ts'
import { startEndless, startFileServer } from '../testing/file-server.ts'
import { sha256 } from '../testing/stand-ins/hub-files.ts'
import { makeGguf } from '../testing/make-gguf.ts'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { checkAddress } from '../outside/follow.ts'
import { createOutsideFetch } from '../outside/outside-fetch.ts'
import { ForbiddenAddress, LOCAL_DOWNLOADS, PUBLIC_DOWNLOADS, type WebRules } from '../outside/web-rules.ts'
import { startStandInHub, type StandInRepository } from '../testing/stand-ins/hub.ts'
import type { DownloadWorld } from './download/download.ts'
import type { SizeFit } from './hub/choose-group.ts'
import { ModelStore, type LookedUp } from './model-store.ts'
import { verifyModel } from '../commands/models/models.ts'

const never = new AbortController().signal
const QWEN = 'unsloth/Qwen3-8B-GGUF'
const small = makeGguf()
const large = makeGguf({ elements: 100_000 })
const huge = makeGguf({ elements: 200_000 })
const qwen: StandInRepository = {
  files: { 'Qwen3-8B-Q3_K_M.gguf': small, 'Qwen3-8B-Q4_K_M.gguf': large, 'Qwen3-8B-UD-Q4_K_XL.gguf': huge },
}

interface Parts {
  token?: string
  fits?: (bytes: number) => SizeFit
  rules?: WebRules
  /** In bytes. */
  memory?: number
  disk?: Pick<DownloadWorld, 'freeBytes' | 'reserveBytes'>
}

async function begin(
  repositories: Record<string, StandInRepository>,
  { token, fits, rules = PUBLIC_DOWNLOADS, memory = 8e9, disk }: Parts = {},
) {
  const web = { rules, environment: {} }
  const hub = await startStandInHub(repositories)
  onTestFinished(() => hub.stop())
  const folder = scratchFolder()
  const files = { registry: join(folder, 'models.json'), models: join(folder, 'models') }
  const news: PullNews[] = []
  const store = new ModelStore({
    files,
    hub: { hub: new URL(hub.url), fetch, token },
    run: () => Promise.resolve({ code: undefined, stdout: '', stderr: '' }),
    download: { retryMs: [1, 1, 1], ...disk },
    judge: () => Promise.resolve(({ bytes }) => fits?.(bytes) ?? { fits: true }),
    memory: () => Promise.resolve(memory),
    foundFiles: () => findFiles([{ place: 'Ollama', folder: join(folder, 'ollama') }]),
    siblings: { find: () => Promise.resolve(undefined) },
    outside: {
      fromHub: createOutsideFetch({ ...web, owners: () => [new URL(hub.url)] }),
      fromUrl: createOutsideFetch(web),
      check: (url, signal) => checkAddress(url, rules, signal),
    },
  })
  const pull = (reference: string, as?: string, signal = never) =>
    store.pull(reference, { onNews: (item) => news.push(item), signal, ...(as === undefined ? {} : { as }) })
  const onDisk = () => (existsSync(files.models) ? readdirSync(files.models).sort() : [])
  return { hub, store, files, news, pull, onDisk, ollama: join(folder, 'ollama') }
}

describe('a file that another program keeps', () => {
  it('is served from where it is, under the name that people know, and stays when the model is removed', async () => {
    const { store, pull, ollama, onDisk } = await begin({})
    const path = writeOllamaModel(ollama, { path: 'registry.ollama.ai/library/qwen3/8b', model: large })
    const found = { name: 'qwen3:8b', source: 'found:qwen3:8b', path, quant: 'Q4_K_M', sha256: sha256(large) }
    expect(await pull('found:qwen3:8b')).toMatchObject(found)
    expect([store.remove('qwen3:8b').freedBytes, existsSync(path), onDisk()]).toEqual([0, true, []])
  })

  it('is described to someone else by its name, without its path', async () => {
    const { store, ollama } = await begin({})
    writeOllamaModel(ollama, { path: 'registry.ollama.ai/library/qwen3/8b', model: large })
    const { description } = await store.lookUp('found:qwen3:8b', never)
    expect(description).toMatchObject({ name: 'qwen3:8b', candidates: [{ bytes: large.length, isChosen: true }] })
    expect(JSON.stringify(description)).not.toContain(ollama)
  })

  it.each(['found:qwen3:8b', 'found:', 'found:../../../etc/passwd'])('is missed in words: %s', async (reference) => {
    const { store, pull } = await begin({})
    await expect(pull(reference)).rejects.toThrow(/No program on this machine keeps|Invalid model name/)
    await expect(store.lookUp(reference, never)).rejects.toThrow(/No program on this machine keeps|Invalid model name/)
    expect(store.list()).toEqual([])
  })
})

describe('pull', () => {
  it.each([
    ['qwen3:8b', 'qwen3:8b', large],
    ['qwen3:8b-q3_k_m', 'qwen3:8b-q3_k_m', small],
    [`hf:${QWEN}:UD-Q4_K_XL`, 'Qwen3-8B', huge],
    [`https://huggingface.co/${QWEN}/blob/main/Qwen3-8B-Q3_K_M.gguf`, 'Qwen3-8B-Q3_K_M', small],
  ])('finds the right file for %s', async (reference, name, content) => {
    const { store, pull } = await begin({ [QWEN]: qwen })
    const entry = await pull(reference)
    expect(entry).toMatchObject({ name, source: reference, sha256: sha256(content), bytes: content.length })
    expect(readFileSync(entry.path).equals(content)).toBe(true)
    expect(store.list()).toEqual([entry])
  })

  it('registers nothing while it is stopped, and continues where it was', async () => {
    const { hub, pull, store, files } = await begin({ [QWEN]: qwen })
    const stop = new AbortController()
    const held = hub.files.hold(50_000)
    const stopped = pull('qwen3:8b', undefined, stop.signal)
    await held
    const partial = join(files.models, 'unsloth--Qwen3-8B-GGUF--Qwen3-8B-Q4_K_M.gguf.partial')
    await expect.poll(() => existsSync(partial) && readFileSync(partial).length).toBe(50_000)
    stop.abort()
    await expect(stopped).rejects.toThrow()
    expect(store.list()).toEqual([])
    hub.files.release()
    await pull('qwen3:8b')
    expect(hub.files.ranges).toEqual(['', 'bytes=50000-'])
    expect(store.list()).toMatchObject([{ name: 'qwen3:8b', sha256: sha256(large) }])
  })

  it('brings all parts of a split model, from any of them, with the progress of the whole', async () => {
    const parts = [small, large, huge].map((bytes, index) => [`Q8_0/Big-Q8_0-0000${index + 1}-of-00003.gguf`, bytes])
    const total = small.length + large.length + huge.length
    const { hub, pull, news, onDisk } = await begin({ 'maker/Big-GGUF': { files: Object.fromEntries(parts) } })
    const entry = await pull('hf:maker/Big-GGUF/Q8_0/Big-Q8_0-00002-of-00003.gguf')
    expect(entry).toMatchObject({ name: 'Big-Q8_0', bytes: total, quant: 'Q8_0' })
    expect(entry.pieces!.map((piece) => piece.sha256)).toEqual([small, large, huge].map(sha256))
    const progress = news.flatMap((item) => (item.type === 'progress' ? [item.progress] : []))
    expect(progress.at(-1)).toMatchObject({ doneBytes: total, totalBytes: total })
    expect(onDisk()).toHaveLength(3)
    const address = `${hub.url}/maker/Big-GGUF/resolve/main/Q8_0/Big-Q8_0-00001-of-00003.gguf`
    expect(await pull(address, 'by-address')).toMatchObject({ name: 'by-address', bytes: total })
  })

  it('checks the disk space for all parts before it downloads anything', async () => {
    const parts = [1, 2, 3].map((part) => [`Big-Q8_0-0000${part}-of-00003.gguf`, large])
    // Enough for one of them, and what a download looks ahead.
    const disk = { reserveBytes: 0, freeBytes: () => 17_400_000 }
    const { hub, pull, store } = await begin({ 'maker/Big-GGUF': { files: Object.fromEntries(parts) } }, { disk })
    await expect(pull('maker/Big-GGUF')).rejects.toThrow(/Not enough disk space for the model: 1\.2 MB needed/)
    expect([hub.files.ranges, store.list()]).toEqual([[], []])
  })

  it('says that a license must be accepted, where, and how to set the token', async () => {
    const gated = { 'maker/Gated-GGUF': { ...qwen, acceptedBy: ['mine'] } }
    const stranger = await begin(gated)
    await expect(stranger.pull('maker/Gated-GGUF')).rejects.toMatchObject({
      message: 'hf:maker/Gated-GGUF requires you to accept a license',
      advice: expect.stringMatching(/accept it at .*\/maker\/Gated-GGUF, create a token .* HF_TOKEN .* hub-token/),
    })
    const other = await begin(gated, { token: 'other' })
    await expect(other.pull('maker/Gated-GGUF')).rejects.toThrow(
      /license that the account of your token hasn't accepted/,
    )
    const owner = await begin(gated, { token: 'mine' })
    expect(await owner.pull('maker/Gated-GGUF')).toMatchObject({ name: 'Gated', sha256: sha256(large) })
  })

  it('suggests near names for one that does not exist', async () => {
    const { pull, store } = await begin({ 'maker/Qwen9-8B-GGUF': qwen })
    await expect(pull('qwen3:9b')).rejects.toMatchObject({ advice: expect.stringMatching(/did you mean .*qwen3:8b/) })
    await expect(pull('typo/Qwen9-8B-GGUF')).rejects.toMatchObject({
      message: expect.stringContaining("Can't find hf:typo/Qwen9-8B-GGUF"),
      advice: expect.stringContaining('hf:maker/Qwen9-8B-GGUF'),
    })
    expect(store.list()).toEqual([])
  })

  it('replaces a model whose file has changed at the source', async () => {
    const { hub, pull, onDisk, store } = await begin({ [QWEN]: qwen })
    await pull('qwen3:8b')
    await pull('qwen3:8b', 'another-name')
    hub.repositories.set(QWEN, { files: { 'Qwen3-8B-Q4_K_M.gguf': huge } })
    await pull('qwen3:8b')
    expect(store.list().map((entry) => entry.sha256)).toEqual([sha256(huge), sha256(huge)])
    expect(onDisk()).toEqual(['unsloth--Qwen3-8B-GGUF--Qwen3-8B-Q4_K_M.gguf'])
  })

  it('deletes the file of the model that it replaces, unless another one needs it', async () => {
    const { store, pull, onDisk } = await begin({ [QWEN]: qwen })
    await pull(`hf:${QWEN}:Q3_K_M`, 'chat')
    await pull(`hf:${QWEN}:Q4_K_M`, 'chat')
    expect(store.list()).toMatchObject([{ name: 'chat', quant: 'Q4_K_M' }])
    expect(onDisk()).toEqual(['unsloth--Qwen3-8B-GGUF--Qwen3-8B-Q4_K_M.gguf'])
  })

  it.each(['./mine.gguf', '/etc/passwd', 'https://localhost/model.gguf', 'tiny'])(
    'takes nothing from this machine when someone else asks: %s',
    async (reference) => {
      const { store } = await begin({})
      await expect(store.pull(reference, { onNews: () => {}, signal: never, isRemote: true })).rejects.toThrow(
        /Can't (find|download)/,
      )
    },
  )
})

describe('a download that someone else asked for', () => {
  const ask = { onNews: () => {}, signal: never, isRemote: true }

  it('asks the hub of the owner, but follows it nowhere into the local network', async () => {
    const { hub, store, onDisk } = await begin({ [QWEN]: qwen })
    const rejected = store.pull('qwen3:8b', ask)
    await expect(rejected).rejects.toThrow(ForbiddenAddress)
    await expect(rejected).rejects.toThrow(/127\.0\.0\.1:\d+: this address is in the owner's private network/)
    expect(hub.requests.at(-1)).toBe('GET /unsloth/Qwen3-8B-GGUF/resolve/main/Qwen3-8B-Q4_K_M.gguf')
    expect([hub.files.ranges, onDisk(), store.list()]).toEqual([[], [], []])
    const allowed = await begin({ [QWEN]: qwen }, { rules: LOCAL_DOWNLOADS })
    expect(await allowed.store.pull('qwen3:8b', ask)).toMatchObject({ sha256: sha256(large) })
  })

  it('says before the download that an address is not allowed', async () => {
    const { store } = await begin({})
    await expect(store.lookUp('https://192.168.1.1/model.gguf', never)).rejects.toMatchObject({
      message: "Can't download from 192.168.1.1: this address is in the owner's private network",
      advice: 'The owner can allow it with --allow-local-downloads.',
    })
  })

  it('rejects a name that could not be served, or told to the gateway', async () => {
    const { store } = await begin({}, { rules: LOCAL_DOWNLOADS })
    const long = `https://127.0.0.1/${'x'.repeat(300)}.gguf`
    await expect(store.lookUp(long, never)).rejects.toThrow(/Invalid model name/)
    expect(await store.lookUp('https://127.0.0.1/a%E0%A4.gguf', never)).toMatchObject({
      description: { name: 'a-E0-A4' },
    })
  })

  it('takes no more than the machine could hold if nobody announced a size, and leaves nothing behind', async () => {
    const { store, onDisk } = await begin({}, { rules: LOCAL_DOWNLOADS, memory: 3_000_000 })
    const endless = await startEndless(makeGguf())
    const rejected = store.pull(`${endless.url}/model.gguf`, ask)
    await expect(rejected).rejects.toThrow('model.gguf is larger than expected: at most 3.0 MB')
    expect(onDisk()).toEqual([])
  })

  it('keeps no file that is not a model, and downloads no more of it than its start', async () => {
    const { store, onDisk } = await begin({}, { rules: LOCAL_DOWNLOADS })
    const endless = await startEndless(Buffer.from('<!doctype html>'))
    await expect(store.pull(`${endless.url}/page.gguf`, ask)).rejects.toThrow(/page\.gguf: it is a web page/)
    const damaged = await startFileServer(Buffer.from('GGUF and nothing else'))
    await expect(store.pull(damaged.url, ask)).rejects.toThrow(/not supported|damaged/)
    expect(onDisk()).toEqual([])
  })
})

function described({ description }: LookedUp): ModelDescription {
  return description!
}

describe('looking up', () => {
  it('says which quantizations there are, which one a pull takes, and what is missing for the others', async () => {
    const fits = (bytes: number): SizeFit =>
      bytes < huge.length ? { fits: true } : { fits: false, missingBytes: bytes - large.length }
    const { store } = await begin({ [QWEN]: qwen }, { fits })
    const looked = await store.lookUp('qwen3', never)
    expect(looked.hits.map(({ source }) => source)).toEqual([`hf:${QWEN}`])
    const { name, license, candidates, quantizations } = described(looked)
    expect([name, license]).toEqual(['qwen3:8b', 'Apache 2.0'])
    expect(quantizations[0]).toEqual({
      quant: 'Q3_K_M',
      name: 'qwen3:8b-q3_k_m',
      source: 'qwen3:8b-q3_k_m',
      bytes: small.length,
    })
    expect(candidates).toEqual([
      { quant: 'Q3_K_M', bytes: small.length, fit: { fits: true }, isChosen: false },
      { quant: 'Q4_K_M', bytes: large.length, fit: { fits: true }, isChosen: true },
      {
        quant: 'UD-Q4_K_XL',
        bytes: huge.length,
        fit: { fits: false, missingBytes: huge.length - large.length },
        isChosen: false,
      },
    ])
  })

  it('knows models of the list without the hub', async () => {
    const { hub, store } = await begin({})
    hub.isAway = true
    const { candidates } = described(await store.lookUp('qwen3:8b', never))
    expect(candidates[0]).toMatchObject({ quant: 'Q4_K_M', isChosen: true })
    for (const text of ['maker/Model-GGUF', 'some words'])
      await expect(store.lookUp(text, never)).rejects.toThrow(/Can't reach/)
  })

  it('searches the hub for words, and for a repository that is not there, and says the license of one that is', async () => {
    const other = { ...qwen, license: 'mit', downloads: 7 }
    const { store } = await begin({ 'maker/Coder-8B-GGUF': qwen, 'other/Coder-9B-GGUF': other })
    const hits = [
      { source: 'hf:other/Coder-9B-GGUF', downloads: 7, license: 'mit' },
      { source: 'hf:maker/Coder-8B-GGUF', downloads: 0 },
    ]
    expect(await store.lookUp('coder', never)).toEqual({ hits })
    expect(await store.lookUp('other/Coder', never)).toEqual({ hits: hits.slice(0, 1) })
    await expect(store.lookUp('nothing at all', never)).rejects.toThrow(/Can't find the model "nothing at all"/)
    const found = described(await store.lookUp('https://huggingface.co/other/Coder-9B-GGUF', never))
    expect(found).toMatchObject({ name: 'Coder-9B', license: 'mit' })
    expect(found.quantizations[1]).toEqual({
      quant: 'Q4_K_M',
      name: 'Coder-9B',
      source: 'hf:other/Coder-9B-GGUF:Q4_K_M',
      bytes: large.length,
    })
  })
})

describe('discard', () => {
  it('deletes what a canceled download has left, and nothing else', async () => {
    const { hub, store, onDisk } = await begin({ [QWEN]: qwen, 'maker/Other-GGUF': qwen })
    const stop = new AbortController()
    const begun = ['maker/Other-GGUF', 'qwen3:8b'].map(async (reference) => {
      const started = Promise.withResolvers<void>()
      const onNews = (item: PullNews): void => void (item.type === 'progress' && started.resolve())
      const pulled = store.pull(reference, { onNews, signal: stop.signal }).catch(() => {})
      await started.promise
      return { pulled }
    })
    void hub.files.hold(50_000)
    const pulls = await Promise.all(begun)
    store.discard('qwen3:8b')
    expect(onDisk().filter((name) => name.endsWith('.partial'))).toHaveLength(2)
    stop.abort()
    await Promise.all(pulls.map(({ pulled }) => pulled))
    store.discard('qwen3:8b-q3_k_m')
    expect(onDisk().filter((name) => name.endsWith('.partial'))).toHaveLength(2)
    store.discard('Qwen/Qwen3-8B')
    expect(onDisk().filter((name) => name.endsWith('.partial'))).toEqual([
      'maker--Other-GGUF--Qwen3-8B-Q4_K_M.gguf.partial',
    ])
  })
})

describe('discard of a split model', () => {
  it('deletes the parts that are complete, but no model that is served', async () => {
    const files = { 'Big-Q8_0-00001-of-00002.gguf': small, 'Big-Q8_0-00002-of-00002.gguf': Buffer.from('no model') }
    const { store, onDisk, pull } = await begin({ 'maker/Big-GGUF': { files: { ...files, 'Big-Q4_K_M.gguf': large } } })
    await pull('hf:maker/Big-GGUF:Q4_K_M')
    await expect(pull('hf:maker/Big-GGUF:Q8_0')).rejects.toThrow(/not a GGUF model/)
    expect(onDisk()).toEqual(['maker--Big-GGUF--Big-Q4_K_M.gguf', 'maker--Big-GGUF--Big-Q8_0-00001-of-00002.gguf'])
    store.discard('hf:maker/Big-GGUF:Q8_0')
    store.discard('hf:maker/Big-GGUF')
    expect(onDisk()).toEqual(['maker--Big-GGUF--Big-Q4_K_M.gguf'])
  })
})

describe('remove', () => {
  it('frees the space of a model, by any of its names, unless another model needs its file', async () => {
    const { store, pull, onDisk } = await begin({ [QWEN]: qwen })
    await pull('qwen3:8b')
    await pull('qwen3:8b', 'chat')
    expect([store.remove('chat').freedBytes, onDisk().length]).toEqual([0, 1])
    expect(store.remove('Qwen/Qwen3-8B')).toMatchObject({ entry: { name: 'qwen3:8b' }, freedBytes: large.length })
    expect([store.list(), onDisk()]).toEqual([[], []])
    expect(() => store.remove('qwen3:8b')).toThrow(/There is no model "qwen3:8b"/)
  })
})

describe('verify', () => {
  it('notices a file that has changed or is missing, in any part', async () => {
    const files = { 'Big-Q8_0-00001-of-00002.gguf': small, 'Big-Q8_0-00002-of-00002.gguf': large }
    const { pull } = await begin({ 'maker/Big-GGUF': { files } })
    const entry = await pull('maker/Big-GGUF')
    expect(await verifyModel(entry, never)).toEqual({ isSound: true })
    const second = entry.path.replace('-00001-of', '-00002-of')
    writeFileSync(second, Buffer.alloc(large.length))
    expect(await verifyModel(entry, never)).toEqual({ isSound: false, why: `${second} has changed` })
    expect(await verifyModel({ ...entry, path: '/nowhere.gguf' }, never)).toMatchObject({ isSound: false })
  })
})
