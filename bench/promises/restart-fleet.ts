// A gateway with a large fleet is killed and starts again at once. How long until every device is linked again?

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@hearth/gateway/local-servers'
import { startGateway, type GatewayProcess } from '../../e2e/harness/processes/gateway-process.ts'
import { nextMessage, startChild, stopChild } from '../gateway/child.ts'
import { cpuMicros } from '../gateway/process-facts.ts'
import { seed } from '../gateway/seed.ts'

export interface Restart {
  /** From the moment it was killed. */
  backAfterMs: number
  /** From the moment it listens again. */
  linkedAfterMs: number
  /** CPU time of the new gateway until then, with its start. */
  cpuSeconds: number
  /** Calls of a key from when the gateway listens again until every device is back. */
  calls: number
  failures: number
  callsMs: number[]
}

const PER_PROCESS = 2_500
const LOOK_AGAIN_MS = 100

/** `checkout` is another checkout of this repository, whose gateway is measured; the devices are always those of this one. */
export async function restartFleet(devices: number, checkout?: string): Promise<Restart> {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-bench-'))
  const { key, credentials } = await seed(`embedded:${folder}`, { keys: 1, devices })
  const settings = { DATABASE_URL: `embedded:${folder}`, PORT: String(await freePort()) }
  const first = await startGateway(settings, [], checkout)
  const fleet = await startFleet(first.origin, credentials)
  await allLinked(first, devices)
  process.kill(first.pid, 'SIGKILL')
  const killedAt = performance.now()
  await first.exited
  const second = await startGateway(settings, [], checkout)
  const listeningAt = performance.now()
  const caller = keepCalling(second.origin, key)
  await allLinked(second, devices)
  const linkedAt = performance.now()
  const cpuSeconds = cpuMicros([second.pid]) / 1e6
  const calls = await caller.stop()
  await Promise.all(fleet.map(stopChild))
  await second.stop()
  rmSync(folder, { recursive: true, force: true })
  return { backAfterMs: linkedAt - killedAt, linkedAfterMs: linkedAt - listeningAt, cpuSeconds, ...calls }
}

async function startFleet(origin: string, credentials: readonly string[]) {
  const processes = []
  for (let start = 0; start < credentials.length; start += PER_PROCESS) {
    const part = startChild('../promises/fleet.ts', { LINK: `${origin.replace('http', 'ws')}/device/v1/link` })
    await nextMessage(part)
    part.send(credentials.slice(start, start + PER_PROCESS))
    processes.push(part)
  }
  return processes
}

async function allLinked({ origin }: GatewayProcess, devices: number): Promise<void> {
  for (;;) {
    const text = await fetch(`${origin}/metrics`).then((response) => response.text())
    if (Number(/^hearth_links (\d+)$/m.exec(text)?.[1]) === devices) return
    await sleep(LOOK_AGAIN_MS)
  }
}

function keepCalling(origin: string, key: string) {
  const stopping = new AbortController()
  const callsMs: number[] = []
  let failures = 0
  const call = async () => {
    const startedAt = performance.now()
    const { status } = await fetch(`${origin}/openai/v1/models`, { headers: { authorization: `Bearer ${key}` } })
    callsMs.push(performance.now() - startedAt)
    if (status !== 200) failures++
  }
  const run = async () => {
    while (!stopping.signal.aborted) {
      await call().catch(() => failures++)
      await sleep(LOOK_AGAIN_MS)
    }
  }
  const done = run()
  return {
    async stop() {
      stopping.abort()
      await done
      return { calls: callsMs.length, failures, callsMs }
    },
  }
}
