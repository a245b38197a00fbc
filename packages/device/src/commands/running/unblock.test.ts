import { existsSync } from 'node:fs'
import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { stateFolder } from '../../state/folder.ts'
import { writeStatus, type DeviceStatus } from '../../state/status-file.ts'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { runDevice } from '../program.ts'

const status: DeviceStatus = {
  app: '0.1.0',
  pid: process.pid,
  startedAt: new Date().toISOString(),
  updatedAt: new Date().toISOString(),
  name: 'studio',
  gateway: 'https://hearth.example.com/',
  organization: 'o',
  link: { name: 'connecting' },
  permission: { allowed: true },
  models: [{ name: 'a', state: 'serving', busy: 0, blocked: { requests: 2, why: 'SIGSEGV', until: 'soon' } }],
  jobs: { running: 0, answered: 0, failed: 0, stopped: 0, handedOver: 0 },
}

async function unblock(home: string): Promise<{ code: number; text: string }> {
  let text = ''
  const output = new Writable({
    write(chunk: Buffer, _, done) {
      text += chunk.toString()
      done()
    },
  })
  const code = await runDevice(['--home', home, 'unblock'], { environment: {}, stdout: output, stderr: output })
  return { code, text }
}

describe('hearth-device unblock', () => {
  it('tells the running app, and says how many requests it was about', async () => {
    const home = scratchFolder()
    const state = stateFolder(home)
    writeStatus(state.status, status)
    expect(await unblock(home)).toEqual({
      code: 0,
      text: expect.stringContaining('2 requests accepted again') as string,
    })
    expect(existsSync(state.unblock)).toBe(true)
  })

  it('exits with 3 if the app is not running', async () => {
    expect((await unblock(scratchFolder())).code).toBe(3)
  })
})
