// Stands in for an engine's process: responds the way a test tells it to, and dies on command.

import type { ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import type { FromHost, ToHost } from '../process/host-messages.ts'

export class FakeHost extends EventEmitter {
  readonly received: ToHost[] = []
  connected = true
  readonly stderr = new EventEmitter()
  readonly #answer: (message: ToHost, host: FakeHost) => void

  constructor(answer: (message: ToHost, host: FakeHost) => void) {
    super()
    this.#answer = answer
  }

  send(message: ToHost): boolean {
    this.received.push(message)
    setImmediate(() => {
      if (message.type === 'stop') this.exit(0, null)
      else if (this.connected) this.#answer(message, this)
    })
    return true
  }

  say(message: FromHost): void {
    this.emit('message', message)
  }

  /** Prints a line the way native code does when it fails. */
  fail(line: string): void {
    this.stderr.emit('data', Buffer.from(`${line}\n`))
  }

  exit(code: number | null, signal: NodeJS.Signals | null): void {
    if (!this.connected) return
    this.connected = false
    this.emit('exit', code, signal)
    this.emit('close', code, signal)
  }

  kill(signal: NodeJS.Signals): boolean {
    this.exit(null, signal)
    return true
  }

  asChild(): ChildProcess {
    return this as unknown as ChildProcess
  }
}

/** Loads at once, and replies to each job with one word and its end, unless `onRun` handles the job itself. */
export function createFakeHost(onRun?: (host: FakeHost, run: number) => boolean): FakeHost {
  return new FakeHost((message, host) => {
    if (message.type === 'load')
      host.say({
        type: 'loaded',
        model: { name: 'fake', contextLength: 8, slots: 1, features: [] },
        memory: { ram: 1, gpu: 0 },
        textRoom: 64,
      })
    if (message.type !== 'run' || onRun?.(host, message.run) === true) return
    const { run } = message
    host.say({
      type: 'outputs',
      outputs: [
        { run, type: 'event', event: { type: 'text', choice: 0, text: 'word' } },
        { run, type: 'event', event: { type: 'end', finishes: ['stop'] } },
        { run, type: 'end' },
      ],
    })
  })
}
