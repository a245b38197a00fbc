import { describe, expect, it } from 'vitest'
import { chooseGroup, type JudgeFit } from './choose-group.ts'
import { allParts, groupFiles, quantOf, type HubFile } from './file-groups.ts'
import { fileAddress, findGroups, HubUnreachable } from './hub.ts'
import { chooseFrom, openChoice } from './resolve.ts'
import { searchHub } from './suggest.ts'
import { defaultName, parseSource } from '../pull/source.ts'
import { checkName } from '../registry/model-name.ts'

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

const roomy: JudgeFit = () => ({ fits: true })

function findHubFiles(source: typeof reference & { quant?: string }, world: Parameters<typeof findGroups>[1]) {
  const resolving = { folder: '/models', hub: world, judge: () => Promise.resolve(roomy) }
  const asked = { kind: 'hub' as const, ...source }
  return openChoice(asked, resolving, never)
    .then((choice) => chooseFrom(choice, asked, 'Model', resolving))
    .then(({ files }) => files)
}

function answering(body: unknown, status = 200) {
  const seen: { url: string; authorization: string | null }[] = []
  const fetch = async (url: unknown, init?: RequestInit) => {
    seen.push({ url: String(url), authorization: new Headers(init?.headers).get('authorization') })
    return Response.json(body, { status })
  }
  return { seen, fetch: fetch as typeof globalThis.fetch }
}

describe('the hub', () => {
  it('picks the best balance of size and quality if none was asked for, with its checksum', async () => {
    const { seen, fetch } = answering(listing)
    const files = await findHubFiles(reference, { hub, fetch, token: 'secret' })
    expect(files).toEqual([{ path: 'Model.Q4_K_M.gguf', bytes: 40, sha256: 'b'.repeat(64) }])
    expect(seen).toEqual([
      {
        url: 'https://hub.example.com/api/models/maker/Model-GGUF/tree/main?recursive=true',
        authorization: 'Bearer secret',
      },
    ])
  })

  it('takes no file whose name or size could mean something else', async () => {
    const strange = [
      { path: '../../up-Q4_K_M.gguf', size: 1 },
      { path: 'a\\b-Q4_K_M.gguf', size: 1 },
      { path: 'a\u0000-Q4_K_M.gguf', size: 1 },
      { path: `${'x'.repeat(5_000)}-Q4_K_M.gguf`, size: 1 },
      { path: 'negative-Q4_K_M.gguf', size: -1 },
      { path: 'huge-Q4_K_M.gguf', size: 1e300 },
      { path: 'half-Q4_K_M.gguf', size: 0.5 },
      { path: 'parts-Q4_K_M-00001-of-99999.gguf', size: 1 },
    ].map((file) => ({ type: 'file', ...file }))
    const { fetch } = answering([...strange, ...listing])
    const groups = await findGroups(reference, { hub, fetch, token: undefined }, never)
    expect(groups.map(({ name }) => name).toSorted()).toEqual(
      ['BF16/Model-BF16.gguf', 'Model.Q4_K_M.gguf', 'Model.Q8_0.gguf'].toSorted(),
    )
  })

  it('reads a list only so far: no endless pages, no endless page, no endless names of parts', async () => {
    const pages = answering(listing)
    const again = (async (...asked: Parameters<typeof fetch>) => {
      const response = await pages.fetch(...asked)
      response.headers.set('link', '</api/models/maker/Model-GGUF/tree/main>; rel="next"')
      return response
    }) as typeof fetch
    const world = { hub, token: undefined }
    await expect(findGroups(reference, { ...world, fetch: again }, never)).rejects.toThrow(/more than 20000 files/)
    expect(pages.seen.length).toBeLessThanOrEqual(20)
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array((sent += 65_536) && 65_536).fill(32)),
    })
    const long = (() => Promise.resolve(new Response(endless))) as typeof fetch
    await expect(findGroups(reference, { ...world, fetch: long }, never)).rejects.toThrow(/longer than 8388608 bytes/)
    expect(sent).toBeLessThan(10_000_000)
    expect(() => allParts('x-00001-of-99999.gguf')).toThrow(/99999 files/)
  })

  it('picks the smallest file if no quantization is known', () => {
    const files: HubFile[] = [
      { path: 'big.gguf', bytes: 9 },
      { path: 'small.gguf', bytes: 3 },
    ]
    expect(chooseGroup(groupFiles(files), roomy, 'Model').files).toEqual([files[1]])
  })

  it('picks the best quantization that fits the machine, and says what is missing if none does', () => {
    const files = ['Q2_K', 'Q3_K_M', 'Q4_K_M', 'Q8_0'].map((quant, index) => ({
      path: `Model-${quant}.gguf`,
      bytes: (index + 2) * 1e9,
    }))
    const within =
      (most: number): JudgeFit =>
      ({ bytes }) =>
        bytes <= most ? { fits: true } : { fits: false, missingBytes: bytes - most }
    const choose = (most: number) => chooseGroup(groupFiles(files), within(most), 'Model').quant
    expect(choose(9e9)).toBe('Q4_K_M')
    expect(choose(4e9)).toBe('Q4_K_M')
    expect(choose(3.5e9)).toBe('Q3_K_M')
    expect(choose(2e9)).toBe('Q2_K')
    expect(() => choose(1.5e9)).toThrow(/doesn't fit on this machine: as Q2_K it has 2.0 GB and needs 500 MB more/)
  })

  it.each([
    ['Model-UD-Q4_K_XL.gguf', 'UD-Q4_K_XL'],
    ['Model.Q4_1.gguf', 'Q4_1'],
    ['Qwen_Qwen3-8B-Q4_K_M.gguf', 'Q4_K_M'],
    ['gpt-oss-20b-mxfp4.gguf', 'MXFP4'],
    ['BF16/Model-BF16-00001-of-00002.gguf', 'BF16'],
    ['Model-IQ3_XXS.gguf', 'IQ3_XXS'],
    ['q4_0/model.gguf', 'Q4_0'],
    ['Model.gguf', undefined],
  ])('reads the quantization of %s', (path, quant) => {
    expect(quantOf(path)).toBe(quant)
  })

  it('finds quantizations whose names have dashes, and takes no other in their place', async () => {
    const files = ['Q4_K_M', 'UD-Q4_K_XL', 'UD-Q4_K_M'].map((quant) => ({
      type: 'file',
      path: `Model-${quant}.gguf`,
      size: 1,
    }))
    const find = async (quant: string) =>
      (await findHubFiles({ ...reference, quant }, { hub, fetch: answering(files).fetch, token: undefined }))[0]!.path
    expect(await find('UD-Q4_K_XL')).toBe('Model-UD-Q4_K_XL.gguf')
    expect(await find('q4_k_xl')).toBe('Model-UD-Q4_K_XL.gguf')
    expect(await find('Q4_K_M')).toBe('Model-Q4_K_M.gguf')
    await expect(find('Q4_K')).rejects.toThrow(/Can't find Q4_K in hf:maker\/Model-GGUF/)
  })

  it('searches with bounds, and takes nothing from a hostile answer that could mislead', async () => {
    const sound = { id: 'maker/Coder-GGUF', downloads: 5, tags: ['gguf', 'license:mit'] }
    const hostile = [
      { ...sound, id: '../../api/models' },
      { ...sound, id: `maker/${'x'.repeat(5_000)}` },
      { ...sound, id: 'maker/\u202Edoc' },
      { id: 7 },
      'text',
      null,
      { id: 'maker/Odd-GGUF', downloads: -1, tags: ['license:<b>free</b>', 3] },
    ]
    const { seen, fetch } = answering([...hostile, sound, ...Array.from({ length: 500 }, () => sound)])
    const found = await searchHub('a Coder-GGUF', { hub, fetch, token: undefined }, never)
    expect(found.slice(0, 2)).toEqual([
      { source: 'hf:maker/Odd-GGUF', downloads: 0 },
      { source: 'hf:maker/Coder-GGUF', downloads: 5, license: 'mit' },
    ])
    expect(found.length).toBeLessThanOrEqual(40)
    expect(seen[0]!.url).toBe('https://hub.example.com/api/models?search=a+Coder&filter=gguf&sort=downloads&limit=40')
    const odd = { hub, fetch: answering({ not: 'a list' }).fetch, token: undefined }
    expect(await searchHub('x', odd, never)).toEqual([])
    const busy = searchHub('x', { hub, fetch: answering({}, 429).fetch, token: undefined }, never)
    await expect(busy).rejects.toThrow(/rejecting requests for now/)
  })

  it('leaves out a model whose upload is not complete', () => {
    const part = (index: number): HubFile => ({ path: `Model-Q8_0-0000${index}-of-00003.gguf`, bytes: 1 })
    expect(groupFiles([part(1), part(3)])).toEqual([])
    expect(groupFiles([part(1), part(3), part(2)])[0]!.files).toEqual([part(1), part(2), part(3)])
  })

  it('tells an unreachable hub from one that rejects the request', async () => {
    const away = (() =>
      Promise.reject(new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND') }))) as typeof fetch
    await expect(findHubFiles(reference, { hub, fetch: away, token: undefined })).rejects.toThrow(HubUnreachable)
    const missing = answering({ error: 'Repository not found' }, 401).fetch
    const refused = findHubFiles(reference, { hub, fetch: missing, token: undefined })
    await expect(refused).rejects.not.toThrow(HubUnreachable)
    const empty = answering([listing[1]]).fetch
    await expect(findHubFiles(reference, { hub, fetch: empty, token: undefined })).rejects.toThrow(/no GGUF file/)
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
    ['hf:maker/Model-GGUF:Q4_K_M', 'Model'],
    ['https://example.com/files/My%20model.Q4_0.gguf?download=true', 'My-model.Q4_0'],
    ['https://example.com/big-00001-of-00004.gguf', 'big'],
    [import.meta.filename, 'hub.test.ts'],
    ['qwen3:8b-q8_0', 'qwen3:8b-q8_0'],
    ['hf:maker/Model-GGUF/My-Model.Q8_0.gguf', 'My-Model.Q8_0'],
    ['https://huggingface.co/maker/Model-GGUF/blob/main/big-00002-of-00004.gguf', 'big'],
  ])('%s is served as %s by default', (text, name) => {
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
