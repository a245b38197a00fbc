// Many slow streams through one gateway, from clients in a process of their own.

import type { ChildProcess } from 'node:child_process'
import { nextMessage, startChild, stopChild } from '../gateway/child.ts'
import { startHearth } from '../systems/hearth.ts'
import type { System } from '../systems/system.ts'
import type { ClientsReport } from './stream-clients.ts'

/** As many as a device of a team has. */
const SLOTS = 8
/** More would make a process of clients busier than the gateway. */
const CLIENTS_PER_PROCESS = 1_500

export interface Streams {
  system: System
  /** More clients that keep a stream open each. */
  join(clients: number, withinMs: number): Promise<void>
  /** Events since the last report. */
  report(): Promise<ClientsReport[]>
  stop(): Promise<void>
}

export async function startStreams(most: number, checkout?: string): Promise<Streams> {
  const size = { keys: 1, devices: Math.ceil(most / SLOTS) }
  const system = await startHearth({ device: '../load/paced-device.ts', size, checkout })
  const { port, path, headers } = system
  const processes: ChildProcess[] = []
  const start = async (clients: number, withinMs: number) => {
    const child = startChild('../load/stream-clients.ts')
    await nextMessage(child)
    child.send({ port, path, headers, clients, withinMs })
    processes.push(child)
  }
  return {
    system,
    async join(clients, withinMs) {
      const parts = Math.ceil(clients / CLIENTS_PER_PROCESS)
      await Promise.all(Array.from({ length: parts }, () => start(Math.ceil(clients / parts), withinMs)))
    },
    async report() {
      return Promise.all(
        processes.map((child) => {
          child.send('report')
          return nextMessage<ClientsReport>(child)
        }),
      )
    },
    async stop() {
      await Promise.all(processes.map(stopChild))
      await system.stop()
    },
  }
}

export function total(reports: readonly ClientsReport[], pick: (report: ClientsReport) => number): number {
  return reports.reduce((sum, report) => sum + pick(report), 0)
}
