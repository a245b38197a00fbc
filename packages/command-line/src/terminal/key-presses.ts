// Single key presses of the person at the terminal. They need the terminal's raw mode, in which it no longer turns Ctrl-C and its like into
// signals: we do that, for all processes that it would have told.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const SIGNALS: Readonly<Record<string, NodeJS.Signals>> = {
  '\u0003': 'SIGINT',
  '\u001A': 'SIGTSTP',
  '\u001C': 'SIGQUIT',
}
const ASK_MS = 1_000

type Listener = (key: string) => void

export class KeyPresses {
  readonly #input: NodeJS.ReadStream
  readonly #output: NodeJS.WriteStream
  readonly #listeners = new Set<Listener>()

  constructor(input: NodeJS.ReadStream, output: NodeJS.WriteStream) {
    this.#input = input
    this.#output = output
  }

  /** Resolves when someone presses this key, in either case, or when the signal is aborted. The terminal is raw only while somebody waits. */
  async press(key: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const listener: Listener = (pressed) => pressed.toLowerCase() === key && resolve()
    signal.addEventListener('abort', () => resolve())
    this.#listeners.add(listener)
    if (this.#listeners.size === 1) this.#listen()
    await promise
    this.#listeners.delete(listener)
    if (this.#listeners.size === 0) this.#ignore()
  }

  #listen(): void {
    // In the background, changing the terminal would stop this process.
    if (!isInForeground()) return
    this.#input.setRawMode(true)
    this.#input.on('data', this.#take)
    this.#input.resume()
  }

  #ignore(): void {
    if (!this.#input.isRaw) return
    this.#input.off('data', this.#take)
    this.#input.setRawMode(false)
    this.#input.pause()
  }

  // More than one character is pasted text, or a key that is none of ours.
  readonly #take = (chunk: Buffer | string): void => {
    const key = String(chunk)
    const signal = SIGNALS[key]
    if (signal !== undefined) return this.#send(signal)
    if (key === '\r' || key === '\n') return void this.#output.write('\n')
    for (const listener of this.#listeners) listener(key)
  }

  #send(signal: NodeJS.Signals): void {
    if (process.platform === 'win32') return void process.emit(signal)
    if (signal === 'SIGTSTP') {
      this.#ignore()
      process.once('SIGCONT', () => this.#listeners.size > 0 && this.#listen())
    }
    // The whole group, as the terminal does: npm belongs to it too.
    process.kill(0, signal)
  }
}

/** Undefined where nobody sits at the keyboard. */
export function openKeys(): KeyPresses | undefined {
  const { stdin, stdout } = process
  if (!stdin.isTTY || !stdout.isTTY || process.env['CI'] || !isInForeground()) return undefined
  return new KeyPresses(stdin, stdout)
}

/** Whether the terminal's input belongs to this process: false after `npm start &`. */
function isInForeground(): boolean {
  if (process.platform === 'win32') return true
  try {
    const [group, foreground] = process.platform === 'linux' ? linuxGroups() : otherGroups()
    return group === foreground
  } catch {
    return false
  }
}

/** After the name of the program, which may contain anything: state, parent, group, session, terminal, group in the foreground. */
function linuxGroups(): (string | undefined)[] {
  const text = readFileSync('/proc/self/stat', 'utf8')
  const [, , group, , , foreground] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return [group, foreground]
}

function otherGroups(): string[] {
  const text = execFileSync('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)], {
    timeout: ASK_MS,
    encoding: 'utf8',
  })
  return text.trim().split(/\s+/)
}
