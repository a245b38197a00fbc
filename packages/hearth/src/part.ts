// One of the processes that make up Hearth: starts it, reads its output, and stops it.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { LAUNCHER_VARIABLE } from './launcher-variable.ts'

export interface Part {
  readonly name: string
  readonly pid: number | undefined
  readonly isRunning: boolean
  /** Resolves with the exit code when the process has ended. */
  readonly ended: Promise<number | null>
  /** Its last output, to explain an unexpected end. */
  lastLines(): string
  stop(): Promise<void>
  /** Ends the process immediately; does nothing if it has ended. */
  kill(): void
}

export interface PartOptions {
  name: string
  file: string
  args?: readonly string[]
  environment: Record<string, string>
  onLine?: (line: string) => void
}

const KEPT_LINES = 12
const END_WITH_LAUNCHER = import.meta.resolve('./end-with-launcher.ts')

export function startPart({ name, file, args = [], environment, onLine }: PartOptions): Part {
  // A group of its own: Ctrl-C reaches only us, and we stop the parts in order. The channel closes with us.
  const child = spawn(process.execPath, ['--import', END_WITH_LAUNCHER, file, ...args], {
    env: { ...process.env, ...environment, [LAUNCHER_VARIABLE]: 'npm start' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: process.platform !== 'win32',
  })
  const lines: string[] = []
  for (const stream of [child.stdout!, child.stderr!])
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      if (lines.length > KEPT_LINES) lines.shift()
      onLine?.(line)
    })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  return {
    name,
    pid: child.pid,
    ended,
    get isRunning() {
      return child.exitCode === null && child.signalCode === null
    },
    lastLines: () => lines.join('\n'),
    stop: () => stopChild(child, ended),
    kill: () => killGroup(child),
  }
}

/** Resolves when the part has printed a line with `ready`; rejects with its last output if it stops before. */
export async function startUntil(ready: string, options: PartOptions): Promise<Part> {
  const isReady = Promise.withResolvers<void>()
  const part = startPart({ ...options, onLine: (line) => line.includes(ready) && isReady.resolve() })
  const tooEarly = part.ended.then(() => {
    throw new Error(part.lastLines() || `The ${options.name} stopped without a message`)
  })
  await Promise.race([isReady.promise, tooEarly])
  tooEarly.catch(() => undefined)
  return part
}

/** With everything that it started. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  if (process.platform === 'win32') child.kill('SIGKILL')
  else process.kill(-child.pid, 'SIGKILL')
}

async function stopChild(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await ended
}
