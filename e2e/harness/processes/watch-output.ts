// Collects the output of a process, and waits for it to print something.

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { DEADLINE_MS } from '../deadline.ts'

export interface WatchedOutput {
  /** Everything printed so far. */
  output: () => string
  /** Resolves with the match once this was printed; rejects when the process ends first. Looks at what is printed from `from` on. */
  heard: (text: RegExp | string, from?: number) => Promise<RegExpExecArray>
  /** Resolves with the exit code once the process has ended and everything it printed was read. */
  exited: Promise<number | null>
}

export function watchOutput(child: ChildProcess, deadlineMs = DEADLINE_MS): WatchedOutput {
  let output = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      for (const listener of listeners) listener()
    })
  const exited = once(child, 'close').then(() => child.exitCode)
  const heard = async (text: RegExp | string, from = 0): Promise<RegExpExecArray> => {
    const pattern = typeof text === 'string' ? new RegExp(RegExp.escape(text)) : text
    const met = Promise.withResolvers<RegExpExecArray>()
    const look = () => {
      const match = pattern.exec(output.slice(from))
      if (match) met.resolve(match)
    }
    listeners.add(look)
    look()
    const fail = (why: string) => met.reject(new Error(`${why} before it printed ${String(pattern)}:\n${output}`))
    const timer = setTimeout(() => fail(`${deadlineMs} ms passed`), deadlineMs)
    void exited.then((code) => fail(`The process ended with code ${code}`))
    return met.promise.finally(() => {
      clearTimeout(timer)
      listeners.delete(look)
    })
  }
  return { output: () => output, heard, exited }
}
