// Starts a program that runs for as long as we need it, and reads what it prints. It gets a pipe of ours, so that a program that reads it
// ends with us, however we end.

import { spawn } from 'node:child_process'

export interface Program {
  onText(listener: (text: string) => void): void
  /** Also called if the program can't be started. */
  onEnd(listener: () => void): void
  end(): void
}

export type StartProgram = (command: readonly [string, ...string[]]) => Program

export const startProgram: StartProgram = ([command, ...args]) => {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true })
  child.stdin.on('error', () => {})
  child.stdout.setEncoding('utf8')
  return {
    onText: (listener) => child.stdout.on('data', listener),
    onEnd(listener) {
      child.once('error', listener)
      child.once('exit', listener)
    },
    end() {
      child.stdin.end()
      child.kill()
    },
  }
}
