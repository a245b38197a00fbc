// `npm start` as someone at a terminal runs it: in a terminal of its own, with keys to press.

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { quote } from '@hearth/command-line/terminal/quote'
import { watchOutput, type WatchedOutput } from './watch-output.ts'

const MAIN = fileURLToPath(new URL('../../../packages/hearth/src/main.ts', import.meta.url))

export interface TerminalLauncher extends WatchedOutput, AsyncDisposable {
  press(key: string): void
}

/** The program `script` makes the terminal. */
export function startInTerminal(flags: readonly string[], environment: Record<string, string>): TerminalLauncher {
  const command = [process.execPath, MAIN, 'start', ...flags].map(quote).join(' ')
  const env = { ...process.env, HEARTH_INSTALL: 'off', CI: '', ...environment }
  const child = spawn('script', ['-qefc', command, '/dev/null'], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  const watched = watchOutput(child)
  const press = (key: string): void => void child.stdin.write(key)
  return {
    ...watched,
    press,
    async [Symbol.asyncDispose]() {
      // With its terminal, everything in it ends.
      child.kill('SIGTERM')
      await watched.exited
    },
  }
}
