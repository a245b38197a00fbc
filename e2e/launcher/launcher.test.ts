// All of `npm start`, with a model that is small enough to load at once.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { startLauncher, type LauncherProcess } from '../harness/processes/launcher-process.ts'
import { descendantsOf } from '../harness/processes/process-tree.ts'
import type { CompletionBody } from '../harness/client/reply-shapes.ts'
import { TINY_PATH } from '../harness/tiny-model.ts'
import { nothingIsLeft, partsOf } from './launched-parts.ts'
import { newPlace } from './new-place.ts'

const place = await newPlace()
const { port, flags } = place
afterAll(() => place[Symbol.asyncDispose]())

async function runCurlOf(launcher: LauncherProcess): Promise<CompletionBody> {
  const [line] = await launcher.heard(/^ {2}curl .*$/m)
  const { stdout } = await promisify(execFile)('sh', ['-c', line])
  return JSON.parse(stdout) as CompletionBody
}

describe('npm start', () => {
  // Before the others: they show that the next start works.
  it('says why something does not come up, and leaves nothing running', async () => {
    await using launcher = startLauncher(flags, { QUEUE_PER_KEY: 'many' })
    expect(await launcher.exited).toBe(1)
    expect(launcher.output()).toMatch(
      /gateway stopped .* before it was ready.*\n\n(?:.*event loop.*\n)*.*QUEUE_PER_KEY.*\n\n.*npm start again/,
    )
    expect(await descendantsOf(launcher.pid)).toStrictEqual([])
  })

  it('prints where everything is and a curl command that works, and leaves nothing running when it is killed', async () => {
    await using launcher = startLauncher([...flags, '--model', TINY_PATH])
    await launcher.heard(/Press Ctrl-C to stop/)
    expect(launcher.output()).toContain(`Base URL   http://127.0.0.1:${port}/openai/v1\n`)
    expect(launcher.output()).toContain(`Console    http://127.0.0.1:${port}/invitation#`)
    const { choices } = await runCurlOf(launcher)
    expect(choices[0]!.message.content).not.toBe('')
    const parts = await partsOf(launcher)
    launcher.signal('SIGKILL')
    await nothingIsLeft(parts)
  })

  it('prints its key only once, and ends with its terminal', async () => {
    await using launcher = startLauncher([...flags, '--no-device'])
    await launcher.heard(/Press Ctrl-C to stop/)
    expect(launcher.output()).toMatch(/API key +shown once at first start/)
    expect(launcher.output()).not.toContain('sk-hearth-')
    const parts = await descendantsOf(launcher.pid)
    expect(parts).not.toStrictEqual([])
    launcher.signal('SIGHUP')
    await nothingIsLeft(parts)
  })
})
