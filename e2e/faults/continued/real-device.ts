// A real device app behind a connection that can be cut. It suffers faults, and recovers from them.

import { writeFileSync } from 'node:fs'
import { stateFolder } from '@hearth/device'
import { startCuttableLink, type CuttableLink } from '../../harness/cuttable-link.ts'
import { startAgain, startDeviceProcess, type DeviceProcess } from '../../harness/device-process.ts'
import type { System } from '../../harness/start-system.ts'
import type { TestedModel } from './kinds.ts'

export type Fault =
  /** The app gets a SIGKILL. */
  | 'killed'
  /** The app and its engine stop for a while, like those of a laptop that is closed. */
  | 'frozen'
  /** The connection breaks, in the middle of a frame. */
  | 'cut off'
  /** The owner takes the machine back. */
  | 'drained'
  | 'engine killed'

const FLAGS = ['--slots', '8']
/** After more losses than this, the app waits long before it connects again; a new process does not. */
const MOST_LOSSES = 1

export class RealDevice implements AsyncDisposable {
  readonly name: string
  readonly link: CuttableLink
  readonly #model: TestedModel
  #process: DeviceProcess
  #engine: number
  #losses = 0
  /** Its fault, and the output from before the fault. */
  #fault: { kind: Fault; from: number } | undefined

  static async start(system: System, model: TestedModel, name: string): Promise<RealDevice> {
    const link = await startCuttableLink(system.origin)
    const token = await system.enrolmentToken(model.name)
    const process = await startDeviceProcess({ origin: link.origin, token, model, name, flags: FLAGS })
    return new RealDevice(name, link, model, process, await process.enginePid())
  }

  private constructor(name: string, link: CuttableLink, model: TestedModel, process: DeviceProcess, engine: number) {
    this.name = name
    this.link = link
    this.#model = model
    this.#process = process
    this.#engine = engine
  }

  output(): string {
    return this.#process.output()
  }

  /** Happens at once, except for `drained`, which takes effect when the app looks for it. */
  strike(kind: Fault): void {
    this.#fault = { kind, from: this.#process.output().length }
    const { pid } = this.#process
    switch (kind) {
      case 'killed':
        return void process.kill(pid, 'SIGKILL')
      case 'engine killed':
        return void process.kill(this.#engine, 'SIGKILL')
      case 'frozen':
        return this.#signal('SIGSTOP')
      case 'cut off':
        return this.link.cut()
      case 'drained':
        return this.#control({ isPaused: true, stopsJobs: true })
      default:
        return kind satisfies never
    }
  }

  /** Resolves when it serves again. Nobody has noticed a short freeze if the reply was complete. */
  async recover(wasNoticed: boolean): Promise<void> {
    const fault = this.#fault
    this.#fault = undefined
    if (fault === undefined) return
    if (fault.kind === 'drained') return this.#resume(fault.from)
    if (fault.kind === 'frozen') this.#signal('SIGCONT')
    if (fault.kind === 'frozen' && !wasNoticed) return
    if (fault.kind === 'killed' || fault.kind === 'engine killed' || ++this.#losses > MOST_LOSSES)
      return this.#restart()
    await this.#process.heard('Connected to', fault.from)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#fault?.kind === 'frozen') this.#signal('SIGCONT')
    await this.#process[Symbol.asyncDispose]()
    await this.link[Symbol.asyncDispose]()
  }

  /** A suspended machine stops everything that runs on it. */
  #signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    for (const pid of [this.#process.pid, this.#engine]) process.kill(pid, name)
  }

  /** As `hearth-device pause --now` and `resume` do, without the time that it takes to start them. */
  #control(control: { isPaused: boolean; stopsJobs: boolean }): void {
    writeFileSync(stateFolder(this.#process.home).control, JSON.stringify(control))
  }

  async #resume(from: number): Promise<void> {
    await this.#process.heard('Not serving', from)
    this.#control({ isPaused: false, stopsJobs: false })
    await this.#process.heard(`${this.#model.name}: ready`, from)
    this.#engine = await this.#process.enginePid()
  }

  async #restart(): Promise<void> {
    await this.#process.kill()
    this.#process = await startAgain(this.#process, { model: this.#model, flags: FLAGS })
    this.#engine = await this.#process.enginePid()
    this.#losses = 0
  }
}
