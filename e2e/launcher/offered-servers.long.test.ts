// At a terminal, `npm start` offers the models of a local server that runs here, and the next start serves them again.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startStandIn, type StandIn } from '@hearth/device/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CompletionBody } from '../harness/client/reply-shapes.ts'
import { isInstalled } from '../harness/leave-out.ts'
import { runHearth } from '../harness/processes/hearth-command.ts'
import { startInTerminal, type TerminalLauncher } from '../harness/processes/terminal-launcher.ts'
import { TINY_PATH } from '../harness/tiny-model.ts'
import { newPlace } from './new-place.ts'

const CTRL_C = '\u0003'

let ollama: StandIn
const place = await newPlace()
const { data, flags } = place

beforeAll(async () => {
  ollama = await startStandIn({ product: 'ollama', models: ['qwen3:8b', 'llama3.2:3b'] })
  const words = ['device', '--home', join(data, 'device'), 'models', 'add', TINY_PATH, '--as', 'house-model']
  const { code, error } = await runHearth(words, { cwd: data, environment: { HOME: data } })
  if (code !== 0) throw new Error(error)
})
afterAll(async () => {
  await ollama.stop()
  await place[Symbol.asyncDispose]()
})

const start = (more: string[] = []): TerminalLauncher =>
  startInTerminal([...flags, ...more], { HEARTH_DEVICE_FIND_SERVERS: ollama.url })

describe.skipIf(!isInstalled('script', '--version', 'keys of npm start'))('npm start beside a local server', () => {
  it('serves and enables them at one key press', async () => {
    await using launcher = start()
    await launcher.heard(/Ollama is running here with 2 models\. Press O to serve them too\./)
    expect([ollama.chats, new Set(ollama.looks)]).toEqual([[], new Set(['/v1/models', '/api/tags'])])
    launcher.press('o')
    const [line] = await launcher.heard(/^ {2}curl \S*completions .*(?:qwen3:8b|llama3\.2:3b).*$/m)
    const { stdout } = await promisify(execFile)('sh', ['-c', line])
    expect(['qwen3:8b', 'llama3.2:3b']).toContain((JSON.parse(stdout) as CompletionBody).model)
    launcher.press(CTRL_C)
    await launcher.exited
  })

  it('serves them after the next start without a question', async () => {
    await using launcher = start()
    await launcher.heard(/(?:qwen3:8b|llama3\.2:3b): ready on/)
    launcher.press(CTRL_C)
    await launcher.exited
    expect(launcher.output()).not.toContain('Press O')
  })

  it('neither serves nor looks for any with --no-upstream', async () => {
    const looks = ollama.looks.length
    await using launcher = start(['--no-upstream'])
    await launcher.heard(/Press Ctrl-C to stop/)
    launcher.press(CTRL_C)
    await launcher.exited
    expect(ollama.looks.slice(looks)).toEqual([])
  })
})
