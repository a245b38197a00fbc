// A system under test, and what starting one needs.

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface System {
  name: string
  port: number
  path: string
  headers: Record<string, string>
  /** If the system wants another request than the others. */
  body?: string
  /** If the system has a name of its own for the model. */
  model?: string
  /** The system is as fast at the start as later. A program that is compiled while it runs gets faster for several seconds. */
  isCompiled?: true
  /** The processes whose CPU time and memory count. */
  pids: number[]
  stop(): Promise<void>
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Resolves once something responds on the port. */
export async function responds(port: number, seconds = 10): Promise<void> {
  for (let tries = 0; tries < seconds * 20; tries++) {
    const isUp = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    )
    if (isUp) return
    await sleep(50)
  }
  throw new Error(`Cannot measure: nothing responds on port ${port}`)
}

/** The process and the processes it started. */
export function familyOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  return [pid, ...children.flatMap((child) => familyOf(Number(child)))]
}

export async function stopAll(systems: readonly System[]): Promise<void> {
  await Promise.all(systems.map((system) => system.stop()))
}
