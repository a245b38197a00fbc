import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCommand, type RunCommand } from '../system/run-command.ts'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import type { Reading } from './meter.ts'
import { createNvidiaMeter } from './nvidia.ts'

/** A machine whose nvidia-smi is this shell script. */
function openMachine(script?: string) {
  const root = scratchFolder()
  const path = join(root, 'nvidia-smi')
  if (script !== undefined) {
    writeFileSync(path, `#!/bin/sh\n${script}\n`)
    chmodSync(path, 0o755)
  }
  const run: RunCommand = (command, args, options) => runCommand(join(root, command), args, options)
  const end = new AbortController()
  const meter = createNvidiaMeter(run, root)
  return { root, read: () => meter.read(0, end.signal), end }
}

function setState(root: string, card: string, state: string): void {
  const folder = join(root, 'sys/bus/pci/drivers/nvidia', card, 'power')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'runtime_status'), `${state}\n`)
}

describe('nvidia-smi', () => {
  it('is asked for the power of all cards together, in plain numbers', async () => {
    const { root, read } = openMachine('echo "$@" > "$(dirname "$0")/asked"; echo 84.07; echo 312')
    expect(await read()).toEqual({ kind: 'power', watts: 396.07 })
    const asked = readFileSync(join(root, 'asked'), 'utf8').trim()
    expect(asked).toBe('--query-gpu=power.draw --format=csv,noheader,nounits')
  })

  it.each<[string, string | undefined, Reading]>([
    ['no program', undefined, { kind: 'none' }],
    ['one card that measures nothing', 'echo "[N/A]"; echo 71.50', { kind: 'power', watts: 71.5 }],
    ['no card that measures anything', 'echo "[N/A]"; echo "[Unknown Error]"', { kind: 'none' }],
    ['no card', 'echo "No devices were found"', { kind: 'none' }],
    ['nothing to say', 'true', { kind: 'none' }],
    ['negative numbers', 'echo -5', { kind: 'none' }],
    ['numbers beyond belief', 'echo 99999999', { kind: 'none' }],
    ['other numbers', 'echo 1e2; echo NaN; echo 0x10', { kind: 'none' }],
    ['a failure', 'echo 84.07; exit 9', { kind: 'none' }],
  ])('with %s', async (_case, script, expected) => {
    expect(await openMachine(script).read()).toEqual(expected)
  })

  it('ends with the app', async () => {
    const { read, end } = openMachine('exec sleep 600')
    const reading = read()
    end.abort()
    await expect(reading).rejects.toThrow()
  })

  it('is not asked while all cards sleep, because that would wake them', async () => {
    const { root, read } = openMachine('echo 12')
    setState(root, '0000:01:00.0', 'suspended')
    expect(await read()).toEqual({ kind: 'power', watts: 0 })
    setState(root, '0000:02:00.0', 'active')
    expect(await read()).toEqual({ kind: 'power', watts: 12 })
  })
})
