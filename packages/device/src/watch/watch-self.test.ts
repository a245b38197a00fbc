import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { hearLastWord, withLifeline, type Excess } from './lifeline.ts'

const WATCH = new URL('./watch-self.ts', import.meta.url).href

async function endOf(child: ChildProcess): Promise<{ excess: Excess | undefined; signal: unknown }> {
  let excess: Excess | undefined
  hearLastWord(child, (word) => (excess = word))
  const [, signal] = await once(child, 'close')
  return { excess, signal }
}

/** A process that watches over itself and does what the script says. */
function start(text: string): ChildProcess {
  const path = join(scratchFolder(), 'script.mjs')
  writeFileSync(path, `import { watchSelf } from '${WATCH}'\nconst watch = watchSelf(20)\n${text}`)
  const child = fork(path, [], { execArgv: [], stdio: [...withLifeline('ignore', 'ignore')] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

describe('a process that watches over itself', () => {
  it('ends when its work takes too much CPU time, and says so', async () => {
    expect(await endOf(start(`watch.begin({ memoryBytes: 1e12, cpuMs: 100 })\nfor (;;);`))).toEqual({
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
