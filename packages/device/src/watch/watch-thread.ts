// The thread that watches over its process. It ends the process by a signal, because anything else would have to wait for the main thread.

import { writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import { LIFELINE_FD, type Excess } from './lifeline.ts'
import { CPU_MS, MEMORY_MB, WORK, type Watched } from './watched.ts'

const { state, lookMs } = workerData as Watched

// Node warns that type stripping is experimental. We know, and it doesn't help the owner of the device.
process.removeAllListeners('warning')

function die(): void {
  process.kill(process.pid, 'SIGKILL')
}

function dieOf(excess: Excess): void {
  try {
    writeSync(LIFELINE_FD, excess)
  } finally {
    die()
  }
}

function holdOn(): void {
  const lifeline = new Socket({ fd: LIFELINE_FD })
  lifeline.on('error', die)
  lifeline.on('close', die)
  lifeline.resume()
}

async function watch(): Promise<never> {
  for (;;) {
    await Atomics.waitAsync(state, WORK, 0).value
    await watchWork(Atomics.load(state, WORK))
  }
}

async function watchWork(work: number): Promise<void> {
  const begun = process.cpuUsage()
  for (;;) {
    await sleep(lookMs)
    if (!isAt(work)) return
    look(begun)
  }
}

function isAt(work: number): boolean {
  return work !== 0 && Atomics.load(state, WORK) === work
}

function look(begun: NodeJS.CpuUsage): void {
  const { user, system } = process.cpuUsage(begun)
  const limitMs = Number(state[CPU_MS])
  if (limitMs > 0 && (user + system) / 1_000 > limitMs) dieOf('time')
  if (process.memoryUsage.rss() / 1_000_000 > Number(state[MEMORY_MB])) dieOf('memory')
}

holdOn()
void watch()
