// Three gateways that act as one, with PostgreSQL and NATS.

import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startNats, startPostgres } from '@hearth/gateway/testing'
import { nextMessage, startChild, stopChild } from '../gateway/child.ts'
import { seed } from '../gateway/seed.ts'
import { countTokens, inspectorOf, listeningPort, startGateway, type Hearth, type HearthOptions } from './hearth.ts'

const GATEWAYS = 3

export interface SeveralOptions extends Required<Pick<HearthOptions, 'frames' | 'size'>> {
  /**
   * Where the devices connect. `near`: to the gateway that the clients use, so tokens stay in it. `far`: to another one, so every token
   * passes between two gateways. `spread`: to each in turn.
   */
  devices: 'near' | 'far' | 'spread'
  /** How many of them have the model, at each gateway; all if undefined. */
  serving?: number
  isInspected?: boolean
}

export interface Several extends Hearth {
  /** Of each gateway. */
  ports: number[]
}

/** Clients that know only `port` use the first gateway. */
export async function startSeveral({
  frames,
  size,
  devices: place,
  serving,
  isInspected = false,
}: SeveralOptions): Promise<Several> {
  const [postgres, nats] = await Promise.all([startPostgres(), startNats()])
  const settings = { DATABASE_URL: await postgres.createDatabase(), NATS_URL: nats.url }
  const { organization, key, credentials } = await seed(settings.DATABASE_URL, size)
  const journals = mkdtempSync(join(tmpdir(), 'hearth-bench-'))
  const gateways = Array.from({ length: GATEWAYS }, (_, index) =>
    startGateway(undefined, isInspected, { ...settings, USAGE_JOURNAL: join(journals, `${index}`) }),
  )
  const inspectors = isInspected ? await Promise.all(gateways.map(inspectorOf)) : []
  const ports = await Promise.all(gateways.map(listeningPort))
  const homes = { near: [ports[0]!], far: [ports.at(-1)!], spread: ports }[place]
  const devices = await Promise.all(
    homes.map((port, index) => {
      const settings = { LINK: `ws://127.0.0.1:${port}/device/v1/link`, FRAMES: frames, SERVING: `${serving ?? ''}` }
      return startDevices(settings, share(credentials, index, homes.length))
    }),
  )
  return {
    name: `several, ${place}, ${frames}`,
    port: ports[0]!,
    ports,
    path: '/openai/v1/chat/completions',
    headers: { authorization: `Bearer ${key}` },
    organization,
    pids: gateways.map(({ pid }) => pid!),
    inspectors,
    async countTokens() {
      const counts = await Promise.all(devices.map(countTokens))
      return counts.reduce((sum, tokens) => sum + tokens, 0)
    },
    order(what) {
      for (const device of devices) device.send(what)
    },
    async stop() {
      await Promise.all([...devices, ...gateways].map(stopChild))
      await nats.stop()
      await postgres.stop()
      rmSync(journals, { recursive: true, force: true })
    },
  }
}

async function startDevices(settings: Record<string, string>, credentials: readonly string[]): Promise<ChildProcess> {
  const devices = startChild('bench-device.ts', settings)
  devices.send(credentials)
  await nextMessage(devices)
  return devices
}

function share(credentials: readonly string[], index: number, parts: number): string[] {
  return credentials.filter((_, place) => place % parts === index)
}
