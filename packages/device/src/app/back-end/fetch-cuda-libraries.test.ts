import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PullNews } from '../../news.ts'
import type { RunCommand } from '../../system/run-command.ts'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { sha256 } from '../../testing/stand-ins/hub-files.ts'
import { cudaLibrariesFolder, fetchCudaLibraries, type LibrariesWorld } from './fetch-cuda-libraries.ts'

const signal = new AbortController().signal

/** The libraries in each package. */
const WHEELS: Record<string, string[]> = {
  'nvidia-cuda-runtime': ['libcudart.so.13'],
  'nvidia-cublas': ['libnvblas.so.13', 'libcublas.so.13', 'libcublasLt.so.13'],
}

function wheelOf(name: string): Buffer {
  return Buffer.from(`${name} and ${WHEELS[name]!.join()}`)
}

/** As Python does it. */
function unpack(archive: string, folder: string): ReturnType<RunCommand> {
  const lib = join(folder, 'nvidia/cu13/lib')
  mkdirSync(lib, { recursive: true })
  for (const library of WHEELS[basename(archive, '.whl')]!) writeFileSync(join(lib, library), library)
  return Promise.resolve({ code: 0, stdout: '', stderr: '' })
}

/** An index with both packages, and an app that knows their hashes. */
function begin(parts: { hash?: string; run?: RunCommand } = {}) {
  const folder = scratchFolder()
  const said: string[] = []
  const pulled: PullNews[] = []
  const asked: string[] = []
  let ended = 0
  const known = Object.keys(WHEELS).map((name) => {
    const hash = parts.hash ?? sha256(wheelOf(name))
    return { name, version: '13.1', sha256: { linux: hash, win32: hash } }
  })
  const pip: RunCommand = (command, args) => {
    if (command !== 'python') return Promise.resolve({ code: undefined, stdout: '', stderr: '' })
    if (args[1] === 'zipfile') return unpack(args.at(-2)!, args.at(-1)!)
    const requirement = args.at(-1) ?? ''
    asked.push(requirement)
    const name = requirement.split('==')[0] ?? ''
    const info = { url: `https://index.test/${name}.whl`, archive_info: { hashes: { sha256: sha256(wheelOf(name)) } } }
    return Promise.resolve({ code: 0, stdout: JSON.stringify({ install: [{ download_info: info }] }), stderr: '' })
  }
  const serve: typeof fetch = (input) => {
    const name = /([\w-]+)\.whl$/.exec(new Request(input).url)![1]!
    return Promise.resolve(new Response(new Uint8Array(wheelOf(name))))
  }
  const world: LibrariesWorld = {
    machine: { platform: 'linux', arch: 'x64' },
    run: parts.run ?? pip,
    say: (text) => void said.push(text),
    onPull: (news) => void pulled.push(news),
    onPullEnd: () => void (ended += 1),
    downloads: { fetch: serve, retryMs: [] },
    packages: { cuda: known, cuda12: known },
  }
  const target = cudaLibrariesFolder(folder, 'cuda', world.packages)
  return { folder, world, said, pulled, asked, target, ended: () => ended }
}

describe("CUDA's run-time libraries", () => {
  it('are downloaded from the index that pip uses, with progress, and only they are kept', async () => {
    const { folder, world, said, pulled, asked, target, ended } = begin()
    mkdirSync(join(folder, 'cuda-libraries-12.0'))
    await fetchCudaLibraries(folder, 'cuda', world, signal)
    expect(readdirSync(target).toSorted()).toEqual(['libcublas.so.13', 'libcublasLt.so.13', 'libcudart.so.13'])
    expect(readFileSync(join(target, 'libcublasLt.so.13'), 'utf8')).toBe('libcublasLt.so.13')
    expect(asked).toEqual(['nvidia-cuda-runtime==13.1', 'nvidia-cublas==13.1'])
    expect(said).toEqual([expect.stringContaining('nvidia-cuda-runtime and nvidia-cublas')])
    expect(pulled).toContainEqual(expect.objectContaining({ type: 'progress', label: 'nvidia-cublas' }))
    expect(ended()).toBe(1)
    expect(existsSync(join(folder, 'cuda-libraries-12.0'))).toBe(false)
  })

  it('are refused if they are not the files that the app knows', async () => {
    const { folder, world, target } = begin({ hash: '0'.repeat(64) })
    await expect(fetchCudaLibraries(folder, 'cuda', world, signal)).rejects.toMatchObject({
      message: /not the file that this app knows/,
      isPassing: true,
    })
    expect(readdirSync(target)).toEqual([])
  })

  it('name their packages if there is no pip or no network', async () => {
    const run: RunCommand = (command) =>
      Promise.resolve(
        command === 'python3'
          ? { code: 1, stdout: '', stderr: '/usr/bin/python3: No module named pip\n' }
          : { code: undefined, stdout: '', stderr: '' },
      )
    const { folder, world, ended } = begin({ run })
    await expect(fetchCudaLibraries(folder, 'cuda', world, signal)).rejects.toMatchObject({
      message: /pip is not installed on this machine/,
      advice: /nvidia-cuda-runtime and nvidia-cublas/,
      isPassing: true,
    })
    expect(ended()).toBe(1)
  })
})
