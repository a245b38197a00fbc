import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serveHere } from '@hearth/command-line/testing/serve-here'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import { encodeFrame, parseDeviceFrames, type ChatJob, type DeviceFrame, type GatewayFrame } from '@hearth/protocol'
import { saveRegistry, type ModelEntry } from '../models/registry/registry.ts'
import { saveCredential } from '../state/credential.ts'
import { stateFolder } from '../state/folder.ts'
import { readStatus } from '../state/status-file.ts'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { jobStart, WELCOME } from '../testing/fake-gateway.ts'
import { startStandIn } from '../testing/stand-ins/server.ts'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

/** Welcomes devices and collects the frames they send. */
async function startGateway() {
  const server = createServer()
  const links = new WebSocketServer({ server, path: '/device/v1/link' })
  const frames: DeviceFrame[] = []
  const closes: number[] = []
  const waiting: (() => void)[] = []
  const wake = (): void => waiting.splice(0).forEach((resolve) => resolve())
  let link: WebSocket | undefined
  links.on('connection', (socket) => {
    link = socket
    socket.on('close', (code) => {
      closes.push(code)
      wake()
    })
    socket.on('message', (data: Buffer) => {
      parseDeviceFrames(data.toString(), (frame) => frames.push(frame))
      if (frames.at(-1)?.type === 'hello') socket.send(encodeFrame(WELCOME))
      wake()
    })
  })
  const until = async (isThere: () => boolean): Promise<void> => {
    while (!isThere()) await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const said = (type: DeviceFrame['type']) => frames.filter((frame) => frame.type === type)
  return {
    url: await serveHere(server),
    frames,
    closes,
    until,
    said,
    drop: () => link?.terminate(),
    say: (frame: GatewayFrame) => link?.send(encodeFrame(frame)),
  }
}

async function startDevice(models: ModelEntry[] = [], flags: string[] = []) {
  const gateway = await startGateway()
  const state = stateFolder(join(scratchFolder(), 'state'))
  saveCredential(state.credential, {
    gateway: gateway.url,
    device: 'device-1',
    organization: 'organization-1',
    name: 'studio',
    credential: 'secret',
  })
  saveRegistry(state.registry, models)
  const child = run(state.path, ['start', '--no-starter', ...flags])
  onTestFinished(() => void child.process.kill('SIGKILL'))
  await child.untilSays('Connected to')
  return { gateway, state, ...child, command: (...words: string[]) => run(state.path, words) }
}

function run(home: string, words: string[]) {
  const env = { ...process.env, HEARTH_DEVICE_HOME: home }
  const child = spawn(process.execPath, [MAIN, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output: string[] = []
  child.stdout.on('data', (data: Buffer) => output.push(data.toString()))
  child.stderr.on('data', (data: Buffer) => output.push(data.toString()))
  const exit = once(child, 'exit').then(([code]) => code as number | null)
  const untilSays = async (words: string): Promise<void> => {
    while (!output.join('').includes(words)) await once(child.stdout, 'data')
  }
  return { process: child, exit, untilSays, output: () => output.join('') }
}

describe('start', () => {
  it('reconnects by itself, and disconnects cleanly on SIGTERM', async () => {
    const { gateway, process: device, exit, output } = await startDevice()
    expect(gateway.said('hello')[0]).toMatchObject({ engine: 'llama', models: [], protocols: [1] })
    gateway.drop()
    await gateway.until(() => gateway.said('hello').length === 2)
    device.kill('SIGTERM')
    expect(await exit).toBe(0)
    expect(gateway.said('drain')).toHaveLength(1)
    await gateway.until(() => gateway.closes.length > 1)
    expect(gateway.closes).toEqual([1006, 1000])
    expect(output()).toMatch(/\d{4}-\d\d-\d\dT[\d:.]+Z info {2}Connected to /)
    expect(output()).not.toContain('secret')
  })

  it('stops without waiting for its jobs on a second signal', async () => {
    const server = await startStandIn({
      // Probes get an answer; the job does not.
      beforeChunk: (_, { messages }) =>
        messages.some(({ content }) => content === 'forever') ? new Promise<void>(() => {}) : undefined,
    })
    onTestFinished(() => server.stop())
    const device = await startDevice([], ['--upstream', server.url])
    await device.untilSays('some-model: ready')
    device.gateway.say(jobStart('job-1', 'forever', { model: 'some-model' }))
    await device.gateway.until(() => device.gateway.said('job-accept').length > 0)
    device.process.kill('SIGTERM')
    await device.untilSays('Finishing 1 job')
    device.process.kill('SIGTERM')
    expect(await device.exit).toBe(0)
    expect(device.output()).toContain('Stopping now')
  })

  it('[P1] writes no part of a prompt or an answer anywhere', async () => {
    const path = fileURLToPath(new URL('../../tiny-model/tiny.gguf', import.meta.url))
    const tiny = { name: 'tiny', path, source: 'tiny', bytes: 0 }
    const { gateway, state, process: device, exit, output, untilSays } = await startDevice([tiny])
    await untilSays('tiny: ready')
    const messages: ChatJob['messages'] = [
      { role: 'system', content: 'canary-in-the-prompt' },
      { role: 'user', content: 'What is the capital of Italy?' },
    ]
    gateway.say(jobStart('job-1', '', { model: 'tiny', temperature: 0, messages }))
    await gateway.until(() => gateway.said('job-end').length > 0)
    const answer = gateway.frames.map((frame) => (frame.type === 'job-delta' ? frame.text : '')).join('')
    expect(answer).toContain('Rome')
    device.kill('SIGTERM')
    expect(await exit).toBe(0)
    const written = readdirSync(state.path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    for (const text of [output(), ...written]) {
      expect(text).not.toContain('canary')
      expect(text).not.toContain('Rome')
    }
  })

  it('shows up in status and refuses to run twice', async () => {
    const { gateway, state, process: device, exit, command } = await startDevice()
    const second = command('start', '--no-starter')
    expect(await second.exit).toBe(1)
    expect(second.output()).toMatch(/already running here, as process \d+/)
    expect(gateway.said('hello')).toHaveLength(1)
    await expect.poll(() => readStatus(state.status, new Date())).toMatchObject({ name: 'studio' })
    device.kill('SIGINT')
    expect(await exit).toBe(0)
    expect(readStatus(state.status, new Date())).toBeUndefined()
  })

  it('stops on hearth-device stop, after its jobs', async () => {
    const { state, exit, output, command } = await startDevice()
    await expect.poll(() => readStatus(state.status, new Date())).toMatchObject({ name: 'studio' })
    const stop = command('stop')
    expect(await stop.exit).toBe(0)
    expect(stop.output()).toMatch(
      /Requests that are being answered end first[\s\S]*Stopped → to start it again: hearth-device start/,
    )
    expect(await exit).toBe(0)
    expect(output()).not.toContain('Stopping now')
    const again = command('stop')
    expect(await again.exit).toBe(3)
    expect(again.output()).toContain('not running')
  })
})
