// How a child process ended: on its own, by a signal, or before it began.

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { describeError } from '../errors.ts'

export type End =
  | { name: 'exited'; code: number }
  | { name: 'killed'; signal: NodeJS.Signals }
  | { name: 'failed'; message: string }

const LAST_OUTPUT_MS = 1_000

/** Resolves when the process has ended and all that it printed is here: its last lines say why. Calls `onExit` before it waits for them. */
export async function untilEnded(child: ChildProcess, onExit: () => void = () => undefined): Promise<End> {
  // What goes wrong later, such as a signal that can't be sent, changes nothing.
  child.on('error', () => undefined)
  // An error is reported by `untilExit`.
  const closed = once(child, 'close').catch(() => undefined)
  const end = await untilExit(child)
  onExit()
  await Promise.race([closed, sleep(LAST_OUTPUT_MS)])
  return end
}

/** The same, with what it printed on the pipes it has. */
export async function readToEnd(child: ChildProcess): Promise<{ end: End; said: string }> {
  let said = ''
  for (const output of [child.stdout, child.stderr])
    output?.setEncoding('utf8').on('data', (text: string) => (said += text))
  return { end: await untilEnded(child), said }
}

export function isSuccess(end: End): boolean {
  return end.name === 'exited' && end.code === 0
}

export function howItEnded(end: End): string {
  switch (end.name) {
    case 'exited':
      return `exit code ${end.code}`
    case 'killed':
      return end.signal
    case 'failed':
      return end.message
    default:
      return end satisfies never
  }
}

async function untilExit(child: ChildProcess): Promise<End> {
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
    return signal === null ? { name: 'exited', code: code ?? 0 } : { name: 'killed', signal }
  } catch (error) {
    return { name: 'failed', message: describeError(error) }
  }
}
