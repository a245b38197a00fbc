import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Backend } from '../../gpu/backend.ts'
import { makeCudaLibrary } from '../../testing/make-cuda-library.ts'
import { makeBuildMachine, put } from '../../testing/stand-ins/build-tools.ts'
import { recommendBuild } from './doctor-build.ts'

const PACKAGE = 'linux-x64-cuda/node_modules/@node-llama-cpp/linux-x64-cuda/bins/linux-x64-cuda/libggml-cuda.so'

function machineWith(machineCode: readonly number[], tools: Record<string, undefined> = {}) {
  const machine = makeBuildMachine(tools)
  const library = join(machine.folder, PACKAGE)
  put(library, makeCudaLibrary({ machineCode, ptx: [90] }))
  const backend: Backend = { rung: 'cuda', gpu: 'cuda', library, environment: {} }
  const recommend = async (on: Backend = backend) => {
    const lines = await recommendBuild(on, { problems: [] }, machine.context, machine.world)
    return lines.map(({ text }) => text)
  }
  return { ...machine, backend, recommend }
}

it('recommends a build where the package has no machine code for the card', async () => {
  const { recommend } = machineWith([86, 89, 120])
  expect(await recommend()).toEqual([
    'GPU: the package has no machine code for this card (compute capability 9.0), so the driver compiles it at first use → for faster answers: hearth-device gpu build',
  ])
  expect(await recommend({ rung: 'vulkan', gpu: 'vulkan', environment: {} })).toEqual([
    'GPU: the package has no machine code for this card (compute capability 9.0) → for faster answers: hearth-device gpu build',
  ])
})

it('names what to install first', async () => {
  const [line] = await machineWith([86], { nvcc: undefined, git: undefined }).recommend()
  expect(line).toMatch(/→ for faster answers: sudo apt install nvidia-cuda-toolkit git, then hearth-device gpu build$/)
})

it('recommends nothing where it would not help', async () => {
  const fitting = machineWith([86, 90])
  expect(await fitting.recommend()).toEqual([])
  const other = machineWith([86])
  expect(await other.recommend({ ...other.backend, rung: 'cuda-built' })).toEqual([])
  const problems = [{ rung: 'cuda-built', why: 'it is old', remedy: 'build again', isPassing: false } as const]
  expect(await recommendBuild(other.backend, { problems }, other.context, other.world)).toEqual([])
  rmSync(join(other.root, 'usr/lib/x86_64-linux-gnu/libcuda.so.1'))
  expect(await other.recommend()).toEqual([])
})
