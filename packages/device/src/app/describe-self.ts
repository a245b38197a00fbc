// This machine's description of itself, sent to a gateway when it joins and when it connects.

import { MAX_MACHINE_TEXT, type Machine } from '@hearth/protocol'
import { detectGpu } from '../gpu/detect-gpu.ts'
import { readMachine, thisMachine } from '../system/machine/read-machine.ts'
import type { RunCommand } from '../system/run-command.ts'

export async function describeSelf(
  run: RunCommand,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Machine> {
  const machine = { platform: process.platform, arch: process.arch }
  const [about, gpu] = await Promise.all([readMachine(thisMachine(run)), detectGpu({ machine, run, environment })])
  if (gpu === undefined) return about
  const { name, memoryBytes } = gpu
  const memory = memoryBytes === undefined ? {} : { gpuMemoryBytes: memoryBytes }
  return { ...about, gpu: name.slice(0, MAX_MACHINE_TEXT), ...memory }
}
