// Sleep on Linux, as systemd's login manager announces it on the system bus. While a delay lock is held, the system waits up to five seconds
// for us before it sleeps. Without D-Bus or systemd, the programs end at once and nothing is watched.

import type { Clock } from '../clock.ts'
import type { Program, StartProgram } from '../system/start-program.ts'
import type { SleepListener, SleepWatch } from './sleep-listener.ts'

interface LinuxSleepWorld {
  clock: Clock
  start: StartProgram
}

/** Which of the two programs is installed depends on the distribution. */
const MONITOR = `
if command -v gdbus > /dev/null
then exec gdbus monitor --system --dest org.freedesktop.login1 --object-path /org/freedesktop/login1
else exec dbus-monitor --system "type='signal',sender='org.freedesktop.login1',member='PrepareForSleep'"
fi`
const DELAY = ['systemd-inhibit', '--what=sleep', '--who=Hearth', '--why=Handing requests to other devices'] as const
/** gdbus prints it on one line, dbus-monitor on two. */
const SIGNAL = /PrepareForSleep\b[^]*?\b(true|false)\b/g
/** A machine that still runs after this time has not slept, whatever was announced. Clocks stand still during sleep. */
const AWAKE_MS = 60_000

export function watchLinuxSleep(world: LinuxSleepWorld, listener: SleepListener): SleepWatch {
  return new LinuxSleepWatch(world, listener)
}

class LinuxSleepWatch implements SleepWatch {
  readonly #world: LinuxSleepWorld
  readonly #listener: SleepListener
  readonly #monitor: Program
  #delay: Program | undefined
  #text = ''
  #stopWaiting: (() => void) | undefined

  constructor(world: LinuxSleepWorld, listener: SleepListener) {
    this.#world = world
    this.#listener = listener
    this.#monitor = world.start(['sh', '-c', MONITOR])
    this.#monitor.onText((text) => this.#read(text))
    this.#monitor.onEnd(() => this.stop())
  }

  letSleep(): void {
    if (this.#stopWaiting !== undefined) this.#endDelay()
  }

  stop(): void {
    this.#stopWaiting?.()
    this.#stopWaiting = undefined
    this.#endDelay()
    this.#monitor.end()
  }

  // The first text shows that the monitor works. Only then is a delay of any use.
  #read(text: string): void {
    this.#text += text
    if (this.#stopWaiting === undefined) this.#holdDelay()
    let read = 0
    for (const match of this.#text.matchAll(SIGNAL)) {
      read = match.index + match[0].length
      if (match[1] === 'true') this.#sleep()
      else this.#wake()
    }
    // A signal may be cut in two, but not be longer than this.
    this.#text = this.#text.slice(read).slice(-1_000)
  }

  #sleep(): void {
    if (this.#stopWaiting !== undefined) return
    this.#stopWaiting = this.#world.clock.after(AWAKE_MS, () => this.#wake())
    this.#listener.onSleep()
  }

  #wake(): void {
    if (this.#stopWaiting === undefined) return
    this.#stopWaiting()
    this.#stopWaiting = undefined
    this.#holdDelay()
    this.#listener.onWake()
  }

  #holdDelay(): void {
    if (this.#delay !== undefined) return
    const delay = this.#world.start([...DELAY, '--mode=delay', 'cat'])
    this.#delay = delay
  }

  #endDelay(): void {
    this.#delay?.end()
    this.#delay = undefined
  }
}
