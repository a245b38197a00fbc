import { describe, expect, it } from 'vitest'
import { readSettings } from '../settings/read-settings.ts'
import type { RunCommand } from '../system/run-command.ts'
import { scratchFolder } from '../testing/scratch-folder.ts'
import { prepareGpu } from './prepare-gpu.ts'

const { settings } = readSettings({ flags: {}, environment: {} })
const machine = { platform: 'linux', arch: 'x64' } as const

describe('prepareGpu', () => {
  it('[U43a] goes on without the GPU if its package cannot be installed, and says so', async () => {
    const run: RunCommand = (command) =>
      Promise.resolve(
        command === 'nvidia-smi'
          ? { code: 0, stdout: 'Some GPU\n', stderr: '' }
          : { code: 1, stdout: '', stderr: 'npm error network\n' },
      )
    const said: string[] = []
    const environment: Record<string, string | undefined> = {}
    const world = { machine, run, environment, say: (text: string) => void said.push(text) }
    await prepareGpu(scratchFolder(), settings, world, new AbortController().signal)
    expect(said).toEqual([
      expect.stringContaining('Found Some GPU'),
      expect.stringMatching(/npm error network → models run on the CPU/),
    ])
    expect(environment).toEqual({})
  })
})
