import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RunCommand } from '../system/run-command.ts'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { put } from '../testing/stand-ins/build-tools.ts'
import { detectGpu, gpuPackage, type Machine, type MachineView } from './detect-gpu.ts'
import { engineVersion, fetchGpuPackage, findGpuPackage } from './fetch-gpu-package.ts'
import { libraryFolders } from './find-libraries.ts'
import { rungsFor } from './rungs.ts'

const linux = { platform: 'linux', arch: 'x64' } as const
const never = new AbortController().signal

/** Only the given programs exist. */
function answering(answers: Record<string, string>): RunCommand {
  return (command) =>
    Promise.resolve({ code: command in answers ? 0 : undefined, stdout: answers[command] ?? '', stderr: '' })
}

const SOFTWARE = 'GPU0:\n\tdeviceType = PHYSICAL_DEVICE_TYPE_CPU\n\tdeviceName = llvmpipe\n'

function view(run: RunCommand, files: Record<string, string> = {}, machine: Machine = linux): MachineView {
  const root = scratchFolder()
  for (const [path, text] of Object.entries(files)) put(join(root, path), text)
  return { machine, run, environment: {}, root }
}

const nothing = answering({})

describe('the GPU', () => {
  it("is found with the system's own tools", async () => {
    const nvidia = answering({ 'nvidia-smi': 'NVIDIA GeForce RTX 4090, 580.95.05, 24564\n', vulkaninfo: SOFTWARE })
    const rtx = { kind: 'cuda', name: 'NVIDIA GeForce RTX 4090', driver: '580.95.05', memoryBytes: 24_564 * 1024 ** 2 }
    expect(await detectGpu(view(nvidia))).toEqual(rtx)
    const radeon = `${SOFTWARE}GPU1:\n\tdeviceType = PHYSICAL_DEVICE_TYPE_DISCRETE_GPU\n\tdeviceName = AMD Radeon\n\tdriverInfo = Mesa 25.1\n`
    const found = { kind: 'vulkan', name: 'AMD Radeon', driver: 'Mesa 25.1' }
    expect(await detectGpu(view(answering({ vulkaninfo: radeon })))).toEqual(found)
    const mac = { platform: 'darwin', arch: 'arm64' } as const
    expect(await detectGpu(view(nothing, {}, mac))).toMatchObject({ kind: 'metal' })
  })

  it('is found by the files of the NVIDIA driver alone', async () => {
    const version =
      'NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.95.05  Tue Sep 23 10:11:16 UTC 2025\nGCC version:  gcc\n'
    const files = {
      'proc/driver/nvidia/version': version,
      'proc/driver/nvidia/gpus/0000:01:00.0/information': 'Model: \t\t NVIDIA H200\nIRQ:   \t\t 100\n',
    }
    expect(await detectGpu(view(nothing, files))).toEqual({ kind: 'cuda', name: 'NVIDIA H200', driver: '580.95.05' })
    const open = version.replace('UNIX x86_64 Kernel Module', 'UNIX Open Kernel Module for x86_64')
    expect(await detectGpu(view(nothing, { 'proc/driver/nvidia/version': open }))).toMatchObject({
      driver: '580.95.05',
    })
  })

  it("is found in a container by its device file and the driver's library", async () => {
    const files = { 'dev/nvidia0': '', 'usr/local/nvidia/lib64/libcuda.so.580.95.05': '' }
    const container = view(nothing, files)
    const folder = join(container.root!, 'usr/local/nvidia/lib64')
    symlinkSync('libcuda.so.580.95.05', join(folder, 'libcuda.so.1'))
    expect(await detectGpu(container)).toEqual({ kind: 'cuda', name: 'NVIDIA GPU', driver: '580.95.05' })
    expect(libraryFolders('linux', {}, container.root)).toContain(folder)
  })

  it('is found as a card on the bus, unless it is a mere display', async () => {
    const card = (vendor: string) => ({ 'sys/class/drm/card0/device/vendor': `${vendor}\n` })
    expect(await detectGpu(view(nothing, card('0x1002')))).toEqual({ kind: 'vulkan', name: 'AMD GPU' })
    expect(await detectGpu(view(nothing, card('0x1a03')))).toBeUndefined()
    expect(await detectGpu(view(nothing, card('0x8086')))).toBeUndefined()
    const withLoader = { ...card('0x8086'), 'usr/lib/x86_64-linux-gnu/libvulkan.so.1': '' }
    expect(await detectGpu(view(nothing, withLoader))).toEqual({ kind: 'vulkan', name: 'Intel GPU' })
  })

  it('is absent on a machine without one, and software renderers do not count', async () => {
    expect(await detectGpu(view(nothing))).toBeUndefined()
    expect(await detectGpu(view(answering({ vulkaninfo: SOFTWARE })))).toBeUndefined()
  })

  it('has a package if the engine offers one', () => {
    expect(gpuPackage('cuda', linux)).toBe('@node-llama-cpp/linux-x64-cuda')
    expect(gpuPackage('vulkan', { platform: 'win32', arch: 'x64' })).toBe('@node-llama-cpp/win-x64-vulkan')
    expect(gpuPackage('cuda', { platform: 'linux', arch: 'arm64' })).toBeUndefined()
    expect(gpuPackage('vulkan', { platform: 'darwin', arch: 'arm64' })).toBeUndefined()
  })

  it('has rungs from the best down; a setting that names a kind has no CPU below it', () => {
    const nvidia = { kind: 'cuda', name: 'x' } as const
    expect(rungsFor('auto', nvidia, linux)).toEqual(['cuda', 'cuda12', 'vulkan', 'cpu'])
    expect(rungsFor('auto', { kind: 'vulkan', name: 'x' }, linux)).toEqual(['vulkan', 'cpu'])
    expect(rungsFor('auto', { kind: 'metal', name: 'x' }, { platform: 'darwin', arch: 'arm64' })).toEqual([
      'metal',
      'cpu',
    ])
    expect(rungsFor('auto', nvidia, { platform: 'linux', arch: 'arm64' })).toEqual(['cpu'])
    expect(rungsFor('auto', undefined, linux)).toEqual(['cpu'])
    expect(rungsFor('off', nvidia, linux)).toEqual(['cpu'])
    expect(rungsFor('cuda', undefined, linux)).toEqual(['cuda', 'cuda12'])
    expect(rungsFor('vulkan', nvidia, linux)).toEqual(['vulkan'])
  })

  it('gets its package in the exact version of the engine, without running scripts', async () => {
    const folder = scratchFolder()
    const calls: string[][] = []
    const npm: RunCommand = (command, args) => {
      calls.push([command, ...args])
      installed(join(folder, 'linux-x64-cuda'), '3.22.1')
      return Promise.resolve({ code: 0, stdout: '', stderr: '' })
    }
    await fetchGpuPackage(folder, '@node-llama-cpp/linux-x64-cuda', '3.22.1', npm, never)
    expect(calls[0]).toEqual(
      expect.arrayContaining(['npm', 'install', '--ignore-scripts', '@node-llama-cpp/linux-x64-cuda@3.22.1']),
    )
    expect(findGpuPackage(folder, '@node-llama-cpp/linux-x64-cuda', '3.22.1')).toBeDefined()
    expect(findGpuPackage(folder, '@node-llama-cpp/linux-x64-cuda', '3.23.0')).toBeUndefined()
    expect(engineVersion()).toMatch(/^\d+\.\d+\.\d+$/)
  })

  it('leaves nothing behind if npm fails', async () => {
    const folder = scratchFolder()
    const npm: RunCommand = () => {
      installed(join(folder, 'linux-x64-cuda'), '3.22.1')
      return Promise.resolve({ code: 1, stdout: '', stderr: 'npm error network\n' })
    }
    await expect(fetchGpuPackage(folder, '@node-llama-cpp/linux-x64-cuda', '3.22.1', npm, never)).rejects.toThrow(
      /npm error network/,
    )
    expect(findGpuPackage(folder, '@node-llama-cpp/linux-x64-cuda', '3.22.1')).toBeUndefined()
  })
})

function installed(folder: string, version: string): void {
  const path = join(folder, 'node_modules/@node-llama-cpp/linux-x64-cuda')
  put(join(path, 'package.json'), JSON.stringify({ version, type: 'module', main: './index.js' }))
  put(join(path, 'index.js'), "export const where = 'state folder'\n")
}
