// One process of a part of Hearth: starts it, reads its output, and stops it.

import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { untilEnded, type End } from '@hearth/command-line/processes/child-end'
import { signalGroup } from '@hearth/command-line/processes/signal-group'
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
  // A process that was killed could not stop what it had started, and its successor needs the port and the memory.
  const ended = untilEnded(child, () => signalGroup(child.pid, 'SIGKILL'))
  return {
    pid: child.pid,
    ended,
    lastLines: () => lines.map(readableLine),
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
    handOver: () => void child.send(HAND_OVER, () => undefined),
    kill: () => {
      if (child.exitCode === null && child.signalCode === null) signalGroup(child.pid, 'SIGKILL')
    },
  }
}
