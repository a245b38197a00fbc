// At a terminal, `npm start` offers the best model for the machine. Every model of the list is a small file here, on a hub of our own.

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startStandInHub, type StandInHub } from '@hearth/device/testing'
import { MODEL_LIST } from '@hearth/model-list'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CompletionBody } from '../harness/client/reply-shapes.ts'
import { isInstalled } from '../harness/leave-out.ts'
import { runHearth } from '../harness/processes/hearth-command.ts'
import { startInTerminal, type TerminalLauncher } from '../harness/processes/terminal-launcher.ts'
import { TINY_PATH } from '../harness/tiny-model.ts'
import { newPlace } from './new-place.ts'

const CTRL_C = '\u0003'

let hub: StandInHub
const place = await newPlace()
const { data, flags } = place

beforeAll(async () => {
  const bytes = await readFile(TINY_PATH)
  const repositories = MODEL_LIST.map(({ hub: { owner, repository }, quantizations }) => {
    const files = Object.fromEntries(quantizations.map(({ name }) => [`model-${name}.gguf`, bytes]))
    return [`${owner}/${repository}`, { files }] as const
  })
  hub = await startStandInHub(Object.fromEntries(repositories))
  // The toy that a machine gets if it can't download the starter: it is here already.
  await run(['device', '--home', join(data, 'device'), 'models', 'add', TINY_PATH, '--as', 'hearth-tiny'])
})
afterAll(async () => {
  await hub.stop()
  await place[Symbol.asyncDispose]()
})

const start = (): TerminalLauncher => startInTerminal(flags, { HEARTH_DEVICE_HUB: hub.url })

describe.skipIf(!isInstalled('script', '--version', 'keys of npm start'))('npm start at a terminal', () => {
  it('offers the best model, downloads it at a key press, and stops at Ctrl-C meanwhile', async () => {
    await using launcher = start()
    await launcher.heard(/Press M to download \S.* \([\d.]+ [GM]B\), the best model for this machine/)
    expect(launcher.output().indexOf('Press M')).toBeGreaterThan(launcher.output().indexOf('curl'))
    const held = hub.files.hold(400_000)
    launcher.press('m')
    await held
    await launcher.heard(/of 831 KB · \d+%/)
    launcher.press(CTRL_C)
    await launcher.exited
    expect(launcher.output()).toContain('Stopping…')
    hub.files.release()
  })

  it('continues the download at the next start, and then serves the model', async () => {
    const asked = hub.files.ranges.length
    await using launcher = start()
    const [, name = ''] = await launcher.heard(/is ready\. Your apps call it (\S+):/)
    expect(hub.files.ranges.slice(asked)).toEqual([expect.stringMatching(/^bytes=[1-9]\d*-$/)])
    const [line] = await launcher.heard(/^ {2}curl \S*completions .*$/m, launcher.output().indexOf('is ready'))
    const { stdout } = await promisify(execFile)('sh', ['-c', await withKey(line)])
    expect((JSON.parse(stdout) as CompletionBody).model).toBe(name)
    launcher.press(CTRL_C)
    await launcher.exited
  })
})

async function withKey(line: string): Promise<string> {
  const { key } = JSON.parse(await run(['admin', 'key', 'create', 'offer', '--data', data, '--json'])) as {
    key: string
  }
  return line.replace('YOUR_KEY', key)
}

async function run(words: readonly string[]): Promise<string> {
  const { code, out, error } = await runHearth(words, { cwd: data, environment: { HOME: data } })
  if (code !== 0) throw new Error(error)
  return out
}
