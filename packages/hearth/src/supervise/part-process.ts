// One process of a part of Hearth: starts it, reads its output, and stops it.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { HAND_OVER } from '@hearth/gateway/alive'
import { LAUNCHER_VARIABLE } from './launcher-variable.ts'
import { readableLine } from './readable-line.ts'

export interface PartProcess {
  readonly pid: number | undefined
  /** Resolves when the process has ended, and everything that it started. */
  readonly ended: Promise<End>
  /** Its last output, to explain an unexpected end. */
  lastLines(): string[]
  stop(): Promise<void>
  /** Its successor runs: it takes nothing new, finishes what it has, and ends. */
  handOver(): void
  /** Ends the process immediately; does nothing if it has ended. */
  kill(): void
}

/** How a process ended: on its own, by a signal, or before it began. */
export type End =
  | { name: 'exited'; code: number }
  | { name: 'killed'; signal: NodeJS.Signals }
  | { name: 'failed'; message: string }

export interface ProcessOptions {
  file: string
  args?: readonly string[]
  environment?: Record<string, string>
  /** It has them from 3 on. */
  descriptors?: readonly number[]
  onLine?: OnLine
  /** Its event loop turned. */
  onAlive?: () => void
}

export type OnLine = (line: string, stream: 'stdout' | 'stderr') => void

const KEPT_LINES = 12
const LAST_OUTPUT_MS = 1_000
const END_WITH_LAUNCHER = import.meta.resolve('./end-with-launcher.ts')

export function startProcess(options: ProcessOptions): PartProcess {
  const { file, args = [], environment, descriptors = [], onLine, onAlive } = options
  // A group of its own: Ctrl-C reaches only us, and we stop the parts in order. The channel closes with us.
  const child = spawn(process.execPath, ['--import', END_WITH_LAUNCHER, file, ...args], {
    env: { ...process.env, ...environment, [LAUNCHER_VARIABLE]: 'npm start' },
    stdio: ['ignore', 'pipe', 'pipe', ...descriptors, 'ipc'],
    detached: process.platform !== 'win32',
  })
  if (onAlive) child.on('message', onAlive)
  const lines: string[] = []
  for (const stream of ['stdout', 'stderr'] as const) {
    const input = child[stream]
    // There is none if the system had no resources left for the process.
    if (input)
      createInterface({ input }).on('line', (line) => {
        lines.push(line)
        if (lines.length > KEPT_LINES) lines.shift()
        onLine?.(line, stream)
      })
  }
  const ended = watchEnd(child)
  return {
    pid: child.pid,
    ended,
    lastLines: () => lines.map(readableLine),
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
    handOver: () => void child.send(HAND_OVER, () => undefined),
    kill: () => isRunning(child) && killGroup(child),
  }
}

async function watchEnd(child: ChildProcess): Promise<End> {
  // An error is reported by `untilExit`.
  const closed = once(child, 'close').catch(() => undefined)
  const end = await untilExit(child)
  // A process that was killed could not stop what it had started, and its successor needs the port and the memory.
  killGroup(child)
  // Its last lines say why.
  await Promise.race([closed, sleep(LAST_OUTPUT_MS)])
  return end
}

async function untilExit(child: ChildProcess): Promise<End> {
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
    return signal === null ? { name: 'exited', code: code ?? 0 } : { name: 'killed', signal }
  } catch (error) {
    return { name: 'failed', message: error instanceof Error ? error.message : String(error) }
  }
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null
}

/** With everything that it started. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // Nothing of it is left.
  }
}
