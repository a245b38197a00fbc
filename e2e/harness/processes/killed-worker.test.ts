import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { makeDataFolder } from '@hearth/gateway/testing'
import { expect, it, onTestFinished } from 'vitest'
import { isLinux } from '../leave-out.ts'
import { removeFolder } from '../remove-folder.ts'
import { descendantsOf, listProcesses } from './process-tree.ts'
import { watchOutput } from './watch-output.ts'

const [BEGIN, HARNESS] = ['../../../scripts/test-place/begin-file.ts', './gateway-process.ts'].map(
  (file) => new URL(file, import.meta.url).href,
)
/** What a worker does that runs a test file with a gateway. */
const WORKER = `
  await import(process.argv[1])
  const { startGateway } = await import(process.argv[2])
  await startGateway({ DATABASE_URL: process.argv[3] })
  console.log('gateway runs')`

it.runIf(isLinux('a killed worker'))(
  'a gateway and its database end with the worker whose test started them, even if it is killed',
  async () => {
    const folder = await makeDataFolder()
    onTestFinished(() => removeFolder(folder))
    const { HEARTH_TEST_WORKER: _, ...environment } = process.env
    const words = ['--input-type=module', '-e', WORKER, BEGIN!, HARNESS!, `embedded:${folder}`]
    const worker = spawn(process.execPath, words, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
    await watchOutput(worker).heard('gateway runs')
    const started = await descendantsOf(worker.pid!)
    expect(
      started.filter(({ command }) => /gateway\/src\/main\.ts|bin\/postgres/.test(command)).length,
    ).toBeGreaterThan(1)
    const [gateway] = started.filter(({ command }) => command.includes('gateway/src/main.ts'))
    // It hangs, so it can't see for itself that it is alone.
    process.kill(gateway!.pid, 'SIGSTOP')
    worker.kill('SIGKILL')
    await once(worker, 'exit')
    const isLeft = async () => {
      const left = await listProcesses()
      return started.filter(({ pid, command }) => left.some((one) => one.pid === pid && one.command === command))
    }
    await expect.poll(isLeft).toStrictEqual([])
  },
)
