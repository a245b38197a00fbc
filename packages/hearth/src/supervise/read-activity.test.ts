import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { askPs, parseTime, readActivity } from './read-activity.ts'

/** Node with this program, whose child runs `ofChild`. Resolves when it is about to run. */
async function runNode(own: string, ofChild = ''): Promise<number> {
  const child = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(ofChild)}]);`
  const program = `${ofChild === '' ? '' : child} console.log('here'); ${own}`
  const process_ = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'ignore'], detached: true })
  onTestFinished(() => void process.kill(-process_.pid!, 'SIGKILL'))
  await once(process_.stdout, 'data')
  return process_.pid!
}

const LOOP = 'for (;;);'
const WAIT = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'

it('a process in a loop is eager and uses more and more CPU time', async () => {
  const pid = await runNode(LOOP)
  const first = await readActivity(pid, 'main thread')
  expect(first).toMatchObject({ isEager: true })
  await expect.poll(async () => (await readActivity(pid, 'main thread'))?.cpuMs).toBeGreaterThan(first!.cpuMs)
})

it('a process that waits is not eager, but its child that computes is part of its tree', async () => {
  const pid = await runNode(WAIT, LOOP)
  await expect.poll(() => readActivity(pid, 'main thread')).toMatchObject({ isEager: false })
  await expect.poll(() => readActivity(pid, 'tree')).toMatchObject({ isEager: true })
  const first = await readActivity(pid, 'tree')
  await expect.poll(async () => (await readActivity(pid, 'tree'))?.cpuMs).toBeGreaterThan(first!.cpuMs)
})

it('nothing is known of a process that has ended', async () => {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  expect(await readActivity(child.pid!, 'main thread')).toBeUndefined()
  expect(await readActivity(child.pid!, 'tree')).toBeUndefined()
})

it.runIf(process.platform !== 'win32')('ps says the same where there is no /proc', async () => {
  const pid = await runNode(LOOP)
  const row = (await askPs()).find((one) => one.pid === pid)
  expect(row).toMatchObject({ parent: process.pid, state: expect.stringMatching(/^R/), cpuMs: expect.any(Number) })
})

it.each([
  ['0:00.12', 120],
  ['3:07.25', 187_250],
  ['01:03:07', 3_787_000],
  ['2-01:03:07', 176_587_000],
])('ps prints CPU time in several ways: %s', (time, ms) => {
  expect(parseTime(time)).toBe(ms)
})
