import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { put } from '../testing/stand-ins/build-tools.ts'
import { prepareRung, type RungWorld } from './prepare-rung.ts'

const VERSION = '9.9.9'
const LIBRARIES = 'usr/local/cuda-13.0/targets/x86_64-linux/lib'
const signal = new AbortController().signal

/** A machine with a driver, and what else a test puts there. */
function machineWith(files: readonly string[], parts: Partial<RungWorld> = {}): RungWorld {
  const root = scratchFolder()
  for (const file of files) put(join(root, file))
  return {
    machine: { platform: 'linux', arch: 'x64' },
    gpu: { kind: 'cuda', name: 'NVIDIA H200', driver: '580.95.05' },
    folder: scratchFolder(),
    version: VERSION,
    environment: {},
    root,
    librariesFolder: (rung) => join(root, 'fetched', rung),
    ...parts,
  }
}

function install(folder: string, kind: string, files: Record<string, string>): string {
  const name = `linux-x64-${kind}`
  const path = join(folder, name, 'node_modules/@node-llama-cpp', name)
  put(join(path, 'package.json'), JSON.stringify({ version: VERSION, type: 'module', main: './index.js' }))
  for (const [file, text] of Object.entries(files)) put(join(path, 'bins/linux-x64-cuda', file), text)
  return path
}

const DRIVER = 'usr/lib/x86_64-linux-gnu/libcuda.so.1'
const CUDA13 = ['libcudart.so.13', 'libcublas.so.13', 'libcublasLt.so.13'].map((name) => `${LIBRARIES}/${name}`)
const CUDA12 = ['libcudart.so.12', 'libcublas.so.12', 'libcublasLt.so.12'].map((name) => `${LIBRARIES}/${name}`)
const MAIN = { 'llama-addon.node': 'addon', 'libggml-base.so': 'base', 'libggml-cuda.so': 'cuda 13' }

describe('a rung before it is tried', () => {
  it.each([
    ['beside its package', {}, { CUDA_CACHE_MAXSIZE: '4294967296' }],
    ['where the owner wants them', { CUDA_CACHE_PATH: '/mine', CUDA_CACHE_MAXSIZE: '1' }, {}],
  ])('gets the folders of its package and of its libraries, and keeps compiled kernels %s', async (_, own, kernels) => {
    const world = machineWith([DRIVER, ...CUDA13], { environment: { LD_LIBRARY_PATH: '/opt/mine', ...own } })
    const path = install(world.folder, 'cuda', MAIN)
    expect(await prepareRung('cuda', world, signal)).toEqual({
      rung: 'cuda',
      gpu: 'cuda',
      library: join(path, 'bins/linux-x64-cuda/libggml-cuda.so'),
      environment: {
        HEARTH_GPU_PACKAGES: join(world.folder, 'linux-x64-cuda'),
        LD_LIBRARY_PATH: expect.stringMatching(new RegExp(`^/opt/mine:.*${LIBRARIES}`)),
        CUDA_CACHE_PATH: join(world.folder, 'kernels'),
        ...kernels,
        ...own,
      },
    })
  })

  it('gets the CUDA 12 build under the name of the CUDA package, and nothing but that', async () => {
    const world = machineWith([DRIVER, ...CUDA12])
    install(world.folder, 'cuda', MAIN)
    install(world.folder, 'cuda-ext', { 'fallback/libggml-cuda.so': 'cuda 12' })
    const { environment, library } = await prepareRung('cuda12', world, signal)
    expect(readFileSync(library!, 'utf8')).toBe('cuda 12')
    const hook = fileURLToPath(new URL('find-gpu-package.ts', import.meta.url))
    const program = `
      const { getBinsDir } = await import('@node-llama-cpp/linux-x64-cuda')
      const extension = await import('@node-llama-cpp/linux-x64-cuda-ext').catch(() => 'hidden')
      console.log(JSON.stringify({ ...getBinsDir(), extension }))`
    const output = execFileSync(process.execPath, ['--import', hook, '--input-type=module', '-e', program], {
      env: { ...process.env, ...environment },
      encoding: 'utf8',
    })
    const found = JSON.parse(output) as { binsDir: string }
    expect(found).toMatchObject({ packageVersion: VERSION, extension: 'hidden' })
    expect(readdirSync(join(found.binsDir, 'linux-x64-cuda')).toSorted()).toEqual(Object.keys(MAIN).toSorted())
    expect(await prepareRung('cuda12', world, signal)).toMatchObject({ library })
  })

  it('says what is missing and what to do', async () => {
    const why = (rung: 'cuda' | 'cuda12' | 'vulkan', world: RungWorld) =>
      prepareRung(rung, world, signal).catch((error: unknown) => error)
    const old = { kind: 'cuda', name: 'x', driver: '535.1' } as const
    expect(await why('cuda', machineWith([DRIVER], { gpu: old }))).toMatchObject({
      message: 'NVIDIA driver 535.1 is too old: it needs version 580 or newer',
      advice: 'update the NVIDIA driver to version 580 or newer',
      isPassing: false,
    })
    expect(await why('cuda12', machineWith([], {}))).toMatchObject({ message: /libcuda\.so\.1 is missing/ })
    const bare = machineWith([DRIVER])
    install(bare.folder, 'cuda', MAIN)
    expect(await why('cuda', bare)).toMatchObject({
      message: "CUDA's run-time libraries are missing (libcudart.so.13, libcublas.so.13, libcublasLt.so.13)",
      advice: expect.stringContaining('hearth-device start downloads them if gpu-libraries is auto'),
      isPassing: true,
    })
    expect(await why('vulkan', machineWith([]))).toMatchObject({ message: /Vulkan loader libvulkan\.so\.1 is missing/ })
    expect(await why('cuda', machineWith([DRIVER, ...CUDA13]))).toMatchObject({
      message: 'its package @node-llama-cpp/linux-x64-cuda is not installed',
      isPassing: true,
    })
  })

  it('gets the libraries that a driver came without, and uses them from then on', async () => {
    let fetched = 0
    const world = machineWith([DRIVER])
    install(world.folder, 'cuda', MAIN)
    const folder = world.librariesFolder('cuda')
    const fetchLibraries = () => {
      fetched += 1
      for (const path of CUDA13) put(join(folder, basename(path)))
      return Promise.resolve()
    }
    const backend = await prepareRung('cuda', { ...world, fetchLibraries }, signal)
    expect(backend.environment['LD_LIBRARY_PATH']).toContain(folder)
    expect(await prepareRung('cuda', world, signal)).toEqual(backend)
    expect(fetched).toBe(1)
  })

  it('needs nothing on a CPU; on Apple chips it is the GPU build without any layers', async () => {
    expect(await prepareRung('cpu', machineWith([]), signal)).toEqual({ rung: 'cpu', gpu: false, environment: {} })
    const mac = machineWith([], { machine: { platform: 'darwin', arch: 'arm64' } })
    expect(await prepareRung('cpu', mac, signal)).toMatchObject({ gpu: 'metal', gpuLayers: 0 })
    expect(await prepareRung('metal', mac, signal)).toMatchObject({ gpu: 'metal' })
  })
})
