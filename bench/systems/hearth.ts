// Our gateway as in production, with devices that compute nothing on its links.

import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { startPostgres } from '@hearth/gateway/testing'
import type { AgreementKey } from '@hearth/sealing'
import { nextMessage, startChild, stopChild } from '../gateway/child.ts'
import { seed, type SeedSize } from '../gateway/seed.ts'
import type { System } from './system.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Hearth extends System {
  organization: string
  /** Where the inspectors of its gateways listen; none without `isInspected`. */
  inspectors: string[]
  /** Tokens that the devices have sent so far. */
  countTokens(): Promise<number>
  /** Devices that answer at a pace stop for a while, or continue: one gateway can be measured while others wait. */
  order(what: 'rest' | 'work'): void
}

export interface LoneHearth extends Hearth {
  /** What a script of its own says about its devices. */
  report<Report>(): Promise<Report>
}

export interface HearthOptions {
  /** How the devices send their tokens; bench-device.ts explains the words. */
  frames?: 'joined' | 'separate' | 'together' | 'held' | 'paced'
  /** The devices report the ids of their tokens, so that another one could continue a reply. */
  reportsTokens?: boolean
  size?: SeedSize
  /** The organization takes sealed requests too, and the devices have this key. */
  sealing?: { seal: string; key: AgreementKey }
  /** Another script for the devices, relative to bench/gateway. */
  device?: string
  /** Environment variables of that script. */
  deviceSettings?: Record<string, string>
  /** Another checkout of this repository, with its packages installed, to compare with. */
  checkout?: string | undefined
  isInspected?: boolean
  settings?: Record<string, string>
}

export async function startHearth({
  frames = 'separate',
  reportsTokens = false,
  size = { keys: 1, devices: 1 },
  sealing,
  device: script = 'bench-device.ts',
  deviceSettings = {},
  checkout,
  isInspected = false,
  settings = {},
}: HearthOptions = {}): Promise<LoneHearth> {
  // Not the embedded one: checkouts of all ages can open this.
  const postgres = await startPostgres()
  const url = await postgres.createDatabase()
  const { organization, key, credentials } = await seed(url, size, sealing?.seal)
  const gateway = startGateway(checkout, isInspected, { DATABASE_URL: url, ...settings })
  const inspectors = isInspected ? [await inspectorOf(gateway)] : []
  const port = await listeningPort(gateway)
  const device = startChild(script, {
    LINK: `ws://127.0.0.1:${port}/device/v1/link`,
    FRAMES: frames,
    REPORTS: reportsTokens ? 'yes' : '',
    ORGANIZATION: organization,
    SEAL_KEY: sealing === undefined ? '' : JSON.stringify(sealing.key),
    ...deviceSettings,
  })
  device.send(credentials)
  await nextMessage(device)
  return {
    name: `${checkout === undefined ? 'hearth' : 'other'}, ${frames}${reportsTokens ? ', with ids' : ''}`,
    port,
    path: '/openai/v1/chat/completions',
    headers: { authorization: `Bearer ${key}` },
    pids: [gateway.pid!],
    organization,
    inspectors,
    countTokens: () => countTokens(device),
    order: (what) => device.send(what),
    report() {
      device.send('report')
      return nextMessage(device)
    },
    async stop() {
      await stopChild(device)
      await stopChild(gateway)
      await postgres.stop()
    },
  }
}

export function startGateway(
  checkout: string | undefined,
  isInspected: boolean,
  settings: Record<string, string>,
): ChildProcess {
  const main = join(checkout ?? root, 'packages/gateway/src/main.ts')
  return spawn(process.execPath, [...(isInspected ? ['--inspect=127.0.0.1:0'] : []), main], {
    env: {
      ...process.env,
      PORT: '0',
      QUEUE_PER_KEY: '100000',
      QUEUE_PER_ORGANIZATION: '100000',
      ...settings,
    },
    stdio: ['ignore', 'pipe', isInspected ? 'pipe' : 'inherit'],
  })
}

export async function listeningPort(gateway: ChildProcess): Promise<number> {
  return Number(await printed(gateway.stdout!, /(?<="port":)\d+(?=[^\n]*"listening")/))
}

export function inspectorOf(gateway: ChildProcess): Promise<string> {
  return printed(gateway.stderr!, /ws:\/\/\S+/)
}

export async function countTokens(device: ChildProcess): Promise<number> {
  device.send('count')
  const { tokens } = await nextMessage<{ tokens: number }>(device)
  return tokens
}

/** The first text that the pattern finds. Everything after it is read and dropped, as a log collector would. */
export async function printed(stream: Readable, pattern: RegExp): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let text = ''
  const look = (more: string) => {
    text += more
    const found = pattern.exec(text)
    if (!found) return
    stream.off('data', look).off('end', fail).resume()
    resolve(found[0])
  }
  const fail = () => reject(new Error(`Cannot measure: the gateway exited too early. It printed: ${text}`))
  stream.setEncoding('utf8').on('data', look).once('end', fail)
  return promise
}
