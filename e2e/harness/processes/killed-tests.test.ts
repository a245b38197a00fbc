import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { makeDataFolder } from '@hearth/gateway/testing'
import { expect, it, onTestFinished } from 'vitest'
import { isLinux } from '../leave-out.ts'
import { removeFolder } from '../remove-folder.ts'
import { descendantsOf, listProcesses } from './process-tree.ts'
import { watchOutput } from './watch-output.ts'

const ROOT = join(import.meta.dirname, '../../..')
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')
const BEGIN = join(ROOT, 'scripts/test-place/begin-file.ts')
const HARNESS = join(import.meta.dirname, 'gateway-process.ts')

/** Runs a vitest whose only test starts a gateway, and never ends. */
function runTest(database: string): ChildProcess {
  const folder = scratchFolder()
  const test = { include: ['gateway.test.mjs'], globals: true, setupFiles: [BEGIN], testTimeout: 2 ** 30 }
  writeFileSync(join(folder, 'vitest.config.mjs'), `export default ${JSON.stringify({ test })}`)
  writeFileSync(
    join(folder, 'gateway.test.mjs'),
    `it('runs', async () => {
      const { startGateway } = await import(${JSON.stringify(HARNESS)})
      await startGateway({ DATABASE_URL: ${JSON.stringify(database)} })
      console.log('gateway runs')
      await new Promise(() => {})
    })`,
  )
  const { HEARTH_TEST_WORKER: _, ...environment } = process.env
  const vitest = spawn(process.execPath, [VITEST, 'run'], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(async () => {
    vitest.kill('SIGKILL')
    if (vitest.exitCode === null && vitest.signalCode === null) await once(vitest, 'exit')
  })
  return vitest
}

it.runIf(isLinux('killed tests')).each(['vitest', 'its worker'])(
  'a gateway and its database end with the test that started them, even if %s is killed',
  async (killed) => {
    const folder = await makeDataFolder()
    onTestFinished(() => removeFolder(folder))
    const vitest = runTest(`embedded:${folder}`)
    await watchOutput(vitest).heard('gateway runs')
    const started = await descendantsOf(vitest.pid!)
    expect(started.some(({ command }) => command.includes('bin/postgres'))).toBe(true)
    const { pid: gateway, parent: worker } = started.find(({ command }) => command.includes('gateway/src/main.ts'))!
    // It hangs, so it can't see for itself that it is alone.
    process.kill(gateway, 'SIGSTOP')
    process.kill(killed === 'vitest' ? vitest.pid! : worker, 'SIGKILL')
    const isLeft = async () => {
      const left = await listProcesses()
      return started.filter(({ pid, command }) => left.some((one) => one.pid === pid && one.command === command))
    }
    await expect.poll(isLeft).toStrictEqual([])
  },
)
