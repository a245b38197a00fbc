// `npm start` and the processes it starts: none of them outlives it.

import { expect, it } from 'vitest'
import { startLauncher } from '../harness/launcher-process.ts'
import { descendantsOf, listProcesses } from '../harness/process-tree.ts'

async function stillRunning(pids: ReadonlySet<number>): Promise<string[]> {
  return (await listProcesses()).filter(({ pid }) => pids.has(pid)).map(({ command }) => command)
}

it.each([
  ['the terminal is closed', 'SIGHUP'],
  ['the launcher is killed', 'SIGKILL'],
] as const)('[R13] the gateway and the device end when %s', async (_, signal) => {
  await using launcher = await startLauncher()
  await launcher.heard('Hearth is running')
  const parts = await descendantsOf(launcher.pid)
  for (const program of ['gateway/src/main.ts', 'device/src/main.ts'])
    expect(parts.map(({ command }) => command)).toContainEqual(expect.stringContaining(program))
  launcher.signal(signal)
  await expect.poll(async () => stillRunning(new Set(parts.map(({ pid }) => pid)))).toStrictEqual([])
})

it('[R13] the gateway ends when the launcher is killed before everything runs', async () => {
  await using launcher = await startLauncher()
  await launcher.heard('device: enrolling')
  const parts = await descendantsOf(launcher.pid)
  expect(parts.length).toBeGreaterThan(0)
  launcher.signal('SIGKILL')
  await expect.poll(async () => stillRunning(new Set(parts.map(({ pid }) => pid)))).toStrictEqual([])
})
