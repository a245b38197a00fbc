import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { hearLastWord, withLifeline, type Excess } from './lifeline.ts'

const WATCH = new URL('./watch-self.ts', import.meta.url).href
const LIFELINE = new URL('./lifeline.ts', import.meta.url).href

function script(text: string): string {
  const path = join(scratchFolder(), 'script.mjs')
  writeFileSync(path, text)
  return path
}

/** A process that watches over itself and does what the script says. */
function watched(text: string): string {
  return script(`import { watchSelf } from '${WATCH}'\nconst watch = watchSelf(20)\n${text}`)
}

async function endOf(child: ChildProcess): Promise<{ excess: Excess | undefined; signal: unknown }> {
  let excess: Excess | undefined
  hearLastWord(child, (word) => (excess = word))
  const [, signal] = await once(child, 'close')
  return { excess, signal }
}

function start(text: string): ChildProcess {
  const child = fork(watched(text), [], { execArgv: [], stdio: [...withLifeline('ignore', 'ignore')] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const STUCK = 'for (;;);'

describe('a process that watches over itself', () => {
  it('[W37] ends with the process that started it, even if it is stuck and nobody could tell it', async () => {
    const child = watched(`process.stdout.write(String(process.pid))\n${STUCK}`)
    const parent = script(`
      import { fork } from 'node:child_process'
      import { withLifeline } from '${LIFELINE}'
      const [, , ...rest] = withLifeline('ignore', 'ignore')
      fork(${JSON.stringify(child)}, [], { execArgv: [], stdio: ['ignore', 'inherit', ...rest] })`)
    const app = spawn(process.execPath, [parent], { stdio: ['ignore', 'pipe', 'ignore'] })
    const [pid] = (await once(app.stdout, 'data')) as [Buffer]
    onTestFinished(() => kill(Number(pid.toString())))
    const closed = once(app.stdout, 'close')
    app.stdout.resume()
    app.kill('SIGKILL')
    // Both write to this pipe, so it closes when both are gone.
    await closed
  })

  it('ends when its work takes too much CPU time, and says so', async () => {
    expect(await endOf(start(`watch.begin({ memoryBytes: 1e12, cpuMs: 100 })\n${STUCK}`))).toEqual({
      excess: 'time',
      signal: 'SIGKILL',
    })
  })

  it('ends when its work takes too much memory, and says so', async () => {
    const grow = 'const kept = []\nfor (;;) kept.push(Buffer.alloc(1_000_000, 1))'
    const memoryBytes = 'process.memoryUsage.rss() + 100_000_000'
    expect(await endOf(start(`watch.begin({ memoryBytes: ${memoryBytes} })\n${grow}`))).toEqual({
      excess: 'memory',
      signal: 'SIGKILL',
    })
  })

  it('goes on after work within its limits, and ends on its own', async () => {
    const text = `
      for (let work = 0; work < 3; work++) {
        watch.begin({ memoryBytes: 1e12, cpuMs: 60_000 })
        await new Promise((resolve) => setTimeout(resolve, 50))
        watch.end()
      }
      process.exit(0)`
    expect(await endOf(start(text))).toEqual({ excess: undefined, signal: null })
  })
})

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended, as it should.
  }
}
