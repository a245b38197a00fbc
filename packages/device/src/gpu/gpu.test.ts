import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { RunCommand } from '../system/run-command.ts'
import { scratchFolder } from '../testing/scratch-folder.ts'
import { detectGpu, gpuPackage } from './detect-gpu.ts'
import { engineVersion, fetchGpuPackage, hasGpuPackage } from './fetch-gpu-package.ts'

const linux = { platform: 'linux', arch: 'x64' } as const
const never = new AbortController().signal

/** Only the given programs exist. */
function answering(answers: Record<string, string>): RunCommand {
  return (command) =>
    Promise.resolve({ code: command in answers ? 0 : undefined, stdout: answers[command] ?? '', stderr: '' })
}

const SOFTWARE = 'GPU0:\n\tdeviceType = PHYSICAL_DEVICE_TYPE_CPU\n\tdeviceName = llvmpipe\n'

describe('the GPU', () => {
  it("is found with the system's own tools", async () => {
    const nvidia = answering({ 'nvidia-smi': 'NVIDIA GeForce RTX 4090\n', vulkaninfo: SOFTWARE })
    expect(await detectGpu(linux, nvidia)).toEqual({ kind: 'cuda', name: 'NVIDIA GeForce RTX 4090' })
    const radeon = `${SOFTWARE}GPU1:\n\tdeviceType = PHYSICAL_DEVICE_TYPE_DISCRETE_GPU\n\tdeviceName = AMD Radeon\n`
    expect(await detectGpu(linux, answering({ vulkaninfo: radeon }))).toEqual({ kind: 'vulkan', name: 'AMD Radeon' })
    expect(await detectGpu({ platform: 'darwin', arch: 'arm64' }, answering({}))).toMatchObject({ kind: 'metal' })
  })

  it('is absent on a machine without one, and software renderers do not count', async () => {
    expect(await detectGpu(linux, answering({}))).toBeUndefined()
    expect(await detectGpu(linux, answering({ vulkaninfo: SOFTWARE }))).toBeUndefined()
    expect(gpuPackage(undefined, linux)).toBeUndefined()
  })

  it('has a package if the engine offers one', () => {
    const cuda = { kind: 'cuda', name: 'x' } as const
    expect(gpuPackage(cuda, linux)).toBe('@node-llama-cpp/linux-x64-cuda')
    expect(gpuPackage({ kind: 'vulkan', name: 'x' }, { platform: 'win32', arch: 'x64' })).toBe(
      '@node-llama-cpp/win-x64-vulkan',
    )
    expect(gpuPackage(cuda, { platform: 'linux', arch: 'arm64' })).toBeUndefined()
    expect(gpuPackage({ kind: 'metal', name: 'x' }, { platform: 'darwin', arch: 'arm64' })).toBeUndefined()
  })

  it('[U43] gets its package in the exact version of the engine, without running scripts', async () => {
    const folder = scratchFolder()
    const calls: string[][] = []
    const npm: RunCommand = (command, args) => {
      calls.push([command, ...args])
      installed(folder, '3.22.1')
      return Promise.resolve({ code: 0, stdout: '', stderr: '' })
    }
    await fetchGpuPackage(folder, '@node-llama-cpp/linux-x64-cuda', '3.22.1', npm, never)
    expect(calls[0]).toEqual(
      expect.arrayContaining(['npm', 'install', '--ignore-scripts', '@node-llama-cpp/linux-x64-cuda@3.22.1']),
    )
    expect(hasGpuPackage(folder, '@node-llama-cpp/linux-x64-cuda', '3.22.1')).toBe(true)
    expect(hasGpuPackage(folder, '@node-llama-cpp/linux-x64-cuda', '3.23.0')).toBe(false)
    expect(engineVersion()).toMatch(/^\d+\.\d+\.\d+$/)
  })

  it('leaves nothing behind if npm fails', async () => {
    const folder = scratchFolder()
    const npm: RunCommand = () => {
      installed(folder, '1.0.0')
      return Promise.resolve({ code: 1, stdout: '', stderr: 'npm error network\n' })
    }
    await expect(fetchGpuPackage(folder, '@node-llama-cpp/linux-x64-cuda', '3.22.1', npm, never)).rejects.toThrow(
      /npm error network/,
    )
    expect(hasGpuPackage(folder, '@node-llama-cpp/linux-x64-cuda', '1.0.0')).toBe(false)
  })

  it('has its package found by the library although it is installed elsewhere', () => {
    const folder = scratchFolder()
    installed(folder, '3.22.1')
    const hook = fileURLToPath(new URL('find-gpu-package.ts', import.meta.url))
    const program =
      "import('@node-llama-cpp/linux-x64-cuda').then(m => console.log(m.where), () => console.log('missing'))"
    const ask = (environment: NodeJS.ProcessEnv) =>
      execFileSync(process.execPath, ['--import', hook, '--input-type=module', '-e', program], {
        env: { ...process.env, ...environment },
        encoding: 'utf8',
      }).trim()
    expect(ask({ HEARTH_GPU_PACKAGES: folder })).toBe('state folder')
    expect(ask({})).not.toBe('state folder')
  })
})

function installed(folder: string, version: string): void {
  const path = join(folder, 'node_modules/@node-llama-cpp/linux-x64-cuda')
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'package.json'), JSON.stringify({ version, type: 'module', main: './index.js' }))
  writeFileSync(join(path, 'index.js'), "export const where = 'state folder'\n")
}
