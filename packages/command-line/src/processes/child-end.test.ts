import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { scratchFolder } from '../testing/scratch-folder.ts'
import { howItEnded, isSuccess, readToEnd, untilEnded } from './child-end.ts'

const run = (script: string) => spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })

describe('the end of a child process', () => {
  it.each([
    ['process.exit(3)', 'exit code 3'],
    ['process.kill(process.pid, "SIGKILL")', 'SIGKILL'],
  ])('says how it came: %s', async (script, how) => {
    expect(howItEnded(await untilEnded(run(script)))).toBe(how)
  })

  it('says why a process could not begin', async () => {
    const end = await untilEnded(spawn(join(scratchFolder(), 'missing')))
    expect(howItEnded(end)).toContain('ENOENT')
  })

  it('comes after the last output', async () => {
    const child = run('process.stdout.write("x".repeat(50_000)); process.exitCode = 1')
    let length = 0
    child.stdout.on('data', (chunk: Buffer) => (length += chunk.length))
    await untilEnded(child)
    expect(length).toBe(50_000)
  })

  it('comes with all that the process printed, on the pipes it has', async () => {
    const { end, said } = await readToEnd(run('process.stdout.write("fée")'))
    expect([isSuccess(end), said]).toEqual([true, 'fée'])
    expect(isSuccess((await readToEnd(run('process.exit(3)'))).end)).toBe(false)
  })
})
