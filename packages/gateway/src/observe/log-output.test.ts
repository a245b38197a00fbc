import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readFileSync, readSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LogOutput } from './log-output.ts'

const LINE = 60_000

let file: string
let fd: number

beforeEach(() => {
  file = join(scratchFolder(), 'log')
})
afterEach(() => closeSync(fd))

function openFile(): LogOutput {
  fd = openSync(file, 'w')
  return new LogOutput({ fd, batch: 10, capacity: 100 })
}

/** A pipe that holds only a few lines until someone reads it. */
function openPipe(capacity: number): LogOutput {
  execFileSync('mkfifo', [file])
  fd = openSync(file, constants.O_RDWR | constants.O_NONBLOCK)
  return new LogOutput({ fd, batch: 10, capacity })
}

/** Reads until the text that ends the log has come through the pipe. */
async function readPipe(end: string): Promise<string> {
  let text = ''
  const buffer = Buffer.alloc(65_536)
  const read = () => {
    try {
      text += buffer.toString('utf8', 0, readSync(fd, buffer))
    } catch {
      // Empty for now.
    }
    return text.endsWith(end)
  }
  await expect.poll(read, { interval: 5 }).toBe(true)
  return text
}

describe('the output of the log', () => {
  it('collects lines and writes them in one piece', async () => {
    const output = openFile()
    output.write('one\n')
    expect(readFileSync(file, 'utf8')).toBe('')
    await new Promise<void>((resolve) => output.flush(resolve))
    expect(readFileSync(file, 'utf8')).toBe('one\n')
  })

  it('writes what is left when the process ends', () => {
    const output = openFile()
    output.write('last\n')
    output.flushSync()
    expect(readFileSync(file, 'utf8')).toBe('last\n')
  })

  it('keeps a bounded amount for a slow reader, and says how many lines it dropped', async () => {
    const output = openPipe(3 * LINE)
    const line = `${'x'.repeat(LINE - 1)}\n`
    for (let count = 0; count < 6; count += 1) output.write(line)
    const text = await readPipe('"count":2}\n')
    expect(text.length).toBeGreaterThan(4 * LINE)
    expect(text.length).toBeLessThan(5 * LINE)
  })

  it('gives up when nobody can read it, and lets the process end', async () => {
    writeFileSync(file, '')
    fd = openSync(file, 'r')
    const output = new LogOutput({ fd })
    output.write('unheard\n')
    output.flushSync()
    await new Promise<void>((resolve) => output.flush(resolve))
    expect(readFileSync(file, 'utf8')).toBe('')
  })
})
