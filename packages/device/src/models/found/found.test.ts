import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { describe, expect, it } from 'vitest'
import { makeGguf } from '../../testing/make-gguf.ts'
import { writeManifest, writeOllamaModel } from '../../testing/ollama-folder.ts'
import { filePlaces, findFiles } from './find-files.ts'
import type { Place } from './found-file.ts'

const model = makeGguf()
const OWN = 'registry.ollama.ai/library'
const DIGEST = `sha256:${'0'.repeat(64)}`

function put(path: string, content: Buffer | string = model): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}

const namesIn = async (place: Place, folder: string) => (await findFiles([{ place, folder }])).map(({ name }) => name)

describe("Ollama's models", () => {
  it('have the names, quantizations and sizes that Ollama shows', async () => {
    const folder = scratchFolder()
    const bytes = (elements: number) => makeGguf({ elements })
    const path = writeOllamaModel(folder, { path: `${OWN}/qwen3/8b`, model: bytes(65) })
    writeOllamaModel(folder, { path: `${OWN}/smol-tools/latest`, model: bytes(66), quant: 'F16' })
    writeOllamaModel(folder, { path: 'registry.ollama.ai/ann/mine/v2', model: bytes(67), quant: '' })
    writeOllamaModel(folder, { path: 'hf.co/maker/Big-GGUF/Q8_0', model: bytes(68), quant: 'unknown' })
    const found = await findFiles([{ place: 'Ollama', folder }])
    expect(found).toMatchObject([
      { name: 'ann/mine:v2' },
      { name: 'hf.co/maker/Big-GGUF:Q8_0' },
      { name: 'qwen3:8b', quant: 'Q4_K_M', bytes: bytes(65).length, path, place: 'Ollama' },
      { name: 'smol-tools', quant: 'F16' },
    ])
  })

  it('are left out if they are no single model that chats', async () => {
    const folder = scratchFolder()
    writeOllamaModel(folder, { path: `${OWN}/nomic-embed-text/latest`, model, family: 'nomic-bert' })
    writeOllamaModel(folder, { path: `${OWN}/tuned/latest`, model, layers: { adapter: makeGguf({ elements: 8 }) } })
    writeOllamaModel(folder, { path: `${OWN}/safetensors/latest`, model: Buffer.from('{"x":1}') })
    expect(await namesIn('Ollama', folder)).toEqual([])
  })

  it('are left out if the file has vanished', async () => {
    const folder = scratchFolder()
    rmSync(writeOllamaModel(folder, { path: `${OWN}/qwen3/8b`, model }))
    expect(await namesIn('Ollama', folder)).toEqual([])
  })

  it.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['no layers', '{"layers":7}'],
    ['a layer that is none', '{"layers":[null,1,"x",{}]}'],
    [
      'a path for a digest',
      '{"layers":[{"mediaType":"application/vnd.ollama.image.model","digest":"../../../etc/passwd"}]}',
    ],
    [
      'a blob that is not there',
      `{"layers":[{"mediaType":"application/vnd.ollama.image.model","digest":"${DIGEST}"}]}`,
    ],
  ])('stay readable beside a manifest with %s', async (_, manifest) => {
    const folder = scratchFolder()
    writeOllamaModel(folder, { path: `${OWN}/qwen3/8b`, model })
    writeManifest(folder, `${OWN}/broken/latest`, manifest)
    expect(await namesIn('Ollama', folder)).toEqual(['qwen3:8b'])
  })

  it('are found beside manifests that are huge, folders, links in circles and names that no client can type', async () => {
    const folder = scratchFolder()
    writeOllamaModel(folder, { path: `${OWN}/qwen3/8b`, model })
    writeOllamaModel(folder, { path: `${OWN}/sp ace/\u001B[2J`, model: makeGguf({ elements: 9 }) })
    writeManifest(folder, `${OWN}/huge/latest`, '')
    truncateSync(join(folder, 'manifests', OWN, 'huge/latest'), 10 * 1024 ** 3)
    mkdirSync(join(folder, 'manifests', OWN, 'folder/latest/deeper'), { recursive: true })
    symlinkSync(join(folder, 'manifests'), join(folder, 'manifests/circle'))
    expect(await namesIn('Ollama', folder)).toEqual(['qwen3:8b'])
  })
})

describe('GGUF files of other programs', () => {
  it('of LM Studio have the names of their files; parts of one model count once', async () => {
    const folder = scratchFolder()
    put(join(folder, 'maker/Qwen3-8B-GGUF/Qwen3-8B-Q4_K_M.gguf'))
    put(join(folder, 'maker/Qwen3-8B-GGUF/mmproj-Qwen3-8B-F16.gguf'), makeGguf({ elements: 9 }))
    for (const part of [1, 2])
      put(join(folder, `maker/Big/Big Q8_0-0000${part}-of-00002.gguf`), makeGguf({ elements: part }))
    put(join(folder, 'maker/Cut/Cut-Q8_0-00001-of-00002.gguf'))
    const found = await findFiles([{ place: 'LM Studio', folder }])
    expect(found).toMatchObject([
      { name: 'Big-Q8_0', path: join(folder, 'maker/Big/Big Q8_0-00001-of-00002.gguf') },
      { name: 'Qwen3-8B-Q4_K_M', quant: 'Q4_K_M', bytes: model.length },
    ])
  })

  it("of Hugging Face's cache are links to blobs", async () => {
    const folder = scratchFolder()
    const blob = put(join(folder, 'models--maker--Qwen3-8B-GGUF/blobs/abc'))
    for (const revision of ['one', 'two']) {
      const link = join(folder, `models--maker--Qwen3-8B-GGUF/snapshots/${revision}/Qwen3-8B-Q4_K_M.gguf`)
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(blob, link)
    }
    expect(await namesIn('Hugging Face', folder)).toEqual(['Qwen3-8B-Q4_K_M'])
  })

  it("of llama.cpp's cache lose the repository in front", async () => {
    const folder = scratchFolder()
    put(join(folder, 'ggml-org_gemma-3-1b-it-GGUF_gemma-3-1b-it-Q4_K_M.gguf'))
    put(join(folder, 'my_own.gguf'), makeGguf({ elements: 9 }))
    expect(await namesIn('llama.cpp', folder)).toEqual(['gemma-3-1b-it-Q4_K_M', 'my_own'])
  })

  it('are neither pipes, folders, links that lead nowhere or in circles, nor other files of that name', async () => {
    const folder = scratchFolder()
    put(join(folder, 'good.gguf'))
    put(join(folder, 'pointer.gguf'), 'version https://git-lfs.github.com/spec/v1')
    put(join(folder, 'empty.gguf'), '')
    mkdirSync(join(folder, 'folder.gguf'))
    symlinkSync('/nowhere', join(folder, 'dangling.gguf'))
    symlinkSync(join(folder, 'self.gguf'), join(folder, 'self.gguf'))
    symlinkSync(folder, join(folder, 'circle'))
    if (process.platform !== 'win32') execFileSync('mkfifo', [join(folder, 'pipe.gguf')])
    expect(await namesIn('LM Studio', folder)).toEqual(['good'])
  })

  it('are looked for no deeper than programs put them, and only so many', async () => {
    const folder = scratchFolder()
    put(join(folder, 'a/b/c/d/e/f/deep.gguf'))
    for (let index = 0; index < 400; index += 1) put(join(folder, `m${index}.gguf`), makeGguf({ elements: index + 1 }))
    const names = await namesIn('LM Studio', folder)
    expect([names.length, names.includes('deep')]).toEqual([256, false])
  })

  it('count once if two programs have the same file, and a name belongs to the first', async () => {
    const [one, other] = [scratchFolder(), scratchFolder()]
    const path = put(join(one, 'same.gguf'))
    put(join(one, 'name.gguf'), makeGguf({ elements: 9 }))
    put(join(other, 'name.gguf'), makeGguf({ elements: 10 }))
    symlinkSync(path, join(other, 'link.gguf'))
    const places = [one, other].map((folder) => ({ place: 'LM Studio' as const, folder }))
    expect((await findFiles(places)).map((file) => file.path)).toEqual([join(one, 'name.gguf'), path])
  })
})

describe('the places', () => {
  const folders = (environment: Record<string, string>, platform: NodeJS.Platform = 'linux') =>
    filePlaces(environment, platform, '/home/ann').map(({ folder }) => folder)

  it('are where the programs usually keep their files', () => {
    expect(folders({})).toEqual([
      '/home/ann/.ollama/models',
      '/usr/share/ollama/.ollama/models',
      '/home/ann/.lmstudio/models',
      '/home/ann/.cache/lm-studio/models',
      '/home/ann/.cache/llama.cpp',
      '/home/ann/.cache/huggingface/hub',
    ])
    expect(folders({}, 'darwin')).toContain('/home/ann/Library/Caches/llama.cpp')
  })

  it("follow the programs' own variables", () => {
    const given = folders({ OLLAMA_MODELS: '/big/ollama', LLAMA_CACHE: '/big/llama', HF_HOME: '/big/hf' })
    expect(given).toEqual(expect.arrayContaining(['/big/ollama', '/big/llama', '/big/hf/hub']))
    expect(given).not.toContain('/home/ann/.ollama/models')
    expect(folders({ HF_HUB_CACHE: '/hub' })).toContain('/hub')
  })

  it('may be missing', async () => {
    expect(await findFiles(filePlaces({}, 'linux', join(scratchFolder(), 'nobody')).slice(2))).toEqual([])
  })
})
