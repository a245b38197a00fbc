// Chooses how this system tells that it is about to sleep.

import type { Clock } from '../clock.ts'
import type { RunCommand } from '../system/run-command.ts'
import { startProgram, type Program, type StartProgram } from '../system/start-program.ts'

export interface SleepWorld {
  clock: Clock
  run: RunCommand
}

/** Windows tells only programs with a window, or through a PowerShell that keeps running, which isn't worth its memory. */
export function watchSleep(platform: NodeJS.Platform, { clock, run }: SleepWorld): WatchSleep {
  if (platform === 'linux') return (listener) => watchLinuxSleep({ clock, start: startProgram }, listener)
  if (platform === 'darwin') return (listener) => watchMacLid({ clock, run }, listener)
  return () => undefined
}

// The lid of a MacBook. A program without a window can't ask the system to wait, but it runs for a moment after the lid was closed, which is
// enough to hand jobs over. Nobody asks while no job runs.
interface MacLidWorld {
  clock: Clock
  run: RunCommand
}

const LOOK_MS = 1_000
const ASK_MS = 5_000

export function watchMacLid({ clock, run }: MacLidWorld, listener: SleepListener): SleepWatch {
  let isClosed = false
  let isAsking = false
  const stop = clock.every(LOOK_MS, () => {
    if (!isAsking && (isClosed || listener.isBusy())) void look()
  })

  async function look(): Promise<void> {
    isAsking = true
    const { code, stdout } = await run('ioreg', ['-r', '-k', 'AppleClamshellState', '-d', '1'], { timeoutMs: ASK_MS })
    isAsking = false
    if (code === undefined) return stop()
    const wasClosed = isClosed
    isClosed = code === 0 && sleepsSoon(stdout)
    if (isClosed && !wasClosed) listener.onSleep()
    if (!isClosed && wasClosed) listener.onWake()
  }

  return { letSleep: () => {}, stop }
}

/** With an external display, a closed MacBook stays awake. */
function sleepsSoon(registry: string): boolean {
  return registry.includes('"AppleClamshellState" = Yes') && !registry.includes('"AppleClamshellCausesSleep" = No')
}

// Sleep on Linux, as systemd's login manager announces it on the system bus. While a delay lock is held, the system waits up to five seconds
// for us before it sleeps. Without D-Bus or systemd, the programs end at once and nothing is watched.
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

// Notices that the machine is about to sleep, because of its lid or its owner, early enough to hand running jobs to other
// devices. A system that doesn't tell is no problem: its jobs continue elsewhere once the gateway misses the device.
export interface SleepListener {
  onSleep: () => void
  onWake: () => void
  /** Whether jobs run. Asking the system can be left out while none do. */
  isBusy: () => boolean
}

export interface SleepWatch {
  /** The system waits a few seconds for this call after `onSleep`, if it can. */
  letSleep(): void
  stop(): void
}

export type WatchSleep = (listener: SleepListener) => SleepWatch | undefined
