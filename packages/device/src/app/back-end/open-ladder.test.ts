import { readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Rung } from '../../gpu/backend.ts'
import { engineVersion } from '../../gpu/fetch-gpu-package.ts'
import { readSettings } from '../../settings/read-settings.ts'
import type { RunCommand } from '../../system/run-command.ts'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { put } from '../../testing/stand-ins/build-tools.ts'
import { openLadder, type LadderWorld } from './open-ladder.ts'

const { settings } = readSettings({ flags: {}, environment: {} })
const signal = new AbortController().signal
const DRIVER = 'usr/lib/x86_64-linux-gnu/libcuda.so.1'
const CUDA13 = ['libcudart.so.13', 'libcublas.so.13', 'libcublasLt.so.13'].map((name) => `usr/lib64/${name}`)

/** A machine with an NVIDIA card, whose npm has no network. */
function machineWith(files: readonly string[], works: (rung: Rung) => boolean = () => true) {
  const root = scratchFolder()
  const folder = scratchFolder()
  for (const file of ['dev/nvidia0', ...files]) put(join(root, file))
  const said: string[] = []
  const tried: Rung[] = []
  const run: RunCommand = (command) =>
    Promise.resolve(
      command === 'npm'
        ? { code: 1, stdout: '', stderr: 'npm error network\n' }
        : { code: undefined, stdout: '', stderr: '' },
    )
  const world: LadderWorld = {
    machine: { platform: 'linux', arch: 'x64' },
    run,
    environment: {},
    say: (text) => void said.push(text),
    now: () => 0,
    root,
    trial: ({ rung }) => {
      tried.push(rung)
      return Promise.resolve(works(rung) ? undefined : { how: 'SIGABRT', output: '' })
    },
  }
  const install = (): string => {
    const path = join(folder, 'linux-x64-cuda/node_modules/@node-llama-cpp/linux-x64-cuda')
    put(join(path, 'package.json'), JSON.stringify({ version: engineVersion() }))
    put(join(path, 'bins/linux-x64-cuda/libggml-cuda.so'))
    return join(path, 'bins/linux-x64-cuda/libggml-cuda.so')
  }
  const use = async (): Promise<Rung> => (await (await openLadder(folder, settings, world, signal)).use()).rung
  return { folder, world, said, tried, install, use }
}

describe('the ladder on a machine', () => {
  it('goes on without the GPU if its package cannot be installed, and says so', async () => {
    const { use, said, folder } = machineWith([DRIVER, ...CUDA13])
    expect(await use()).toBe('cpu')
    expect(said).toEqual([
      expect.stringContaining('Found NVIDIA GPU. Installing @node-llama-cpp/linux-x64-cuda'),
      expect.stringMatching(/Installing @node-llama-cpp\/linux-x64-cuda/),
      "Models run on the CPU: NVIDIA GPU can't be used yet",
      expect.stringMatching(/Can't use CUDA: .*npm error network → restart the app/),
      expect.stringMatching(/Can't use CUDA 12: .*npm error network/),
      expect.stringMatching(/Can't use Vulkan: the Vulkan loader/),
    ])
    expect(JSON.parse(readFileSync(join(folder, 'ladder.json'), 'utf8'))).toMatchObject({
      rung: 'cpu',
      problems: [{ rung: 'cuda', isPassing: true }, { rung: 'cuda12', isPassing: true }, { rung: 'vulkan' }],
    })
  })

  it('tries again when the file of a back end was replaced, when its memory is of no use, or when it is asked to', async () => {
    let works = false
    const { install, use, tried, world, folder } = machineWith([DRIVER, ...CUDA13], () => works)
    const library = install()
    expect([await use(), await use()]).toEqual(['cpu', 'cpu'])
    expect(tried).toEqual(['cuda'])
    works = true
    utimesSync(library, 1, 1)
    expect([await use(), await use()]).toEqual(['cuda', 'cuda'])
    expect(tried).toEqual(['cuda', 'cuda'])
    world.isFresh = true
    await use()
    expect(tried).toEqual(['cuda', 'cuda', 'cuda'])
    world.isFresh = false
    const memory = join(folder, 'ladder.json')
    const ofOtherApp = readFileSync(memory, 'utf8').replace(/"rung": ?"cuda"/, '"rung":"npu"')
    for (const [index, text] of ['{', ofOtherApp].entries()) {
      put(memory, text)
      expect(await use()).toBe('cuda')
      expect(tried).toHaveLength(4 + index)
    }
  })

  it('looks for nothing if the GPU is off', async () => {
    const { world, folder, said } = machineWith([DRIVER])
    const ladder = await openLadder(folder, { ...settings, gpu: 'off' }, world, signal)
    expect(await ladder.use()).toMatchObject({ rung: 'cpu', gpu: false })
    expect(said).toEqual([])
  })
})
