// A device for tests that talks to a fleet in memory, without a socket or a process. The test sends its frames one by one.

import {
  encodeFrame,
  parseGatewayFrames,
  type DeviceFrame,
  type DeviceModel,
  type GatewayFrame,
  type JobAttempt,
  type Machine,
} from '@hearth/protocol'
import type { DeviceConnection, DeviceSocket, Fleet } from '../fleet/fleet.ts'
import { Watchers } from './watchers.ts'

export interface MemoryDeviceOptions {
  id: string
  organization?: string
  models?: readonly DeviceModel[]
  /** One per start of the device app. */
  boot?: string
  address?: string
  machine?: Machine
}

type FrameType = GatewayFrame['type']
type FrameOf<Type extends FrameType> = Extract<GatewayFrame, { type: Type }>

const DEADLINE_MS = 20_000

export class MemoryDevice implements DeviceSocket {
  readonly frames: GatewayFrame[] = []
  readonly bufferedBytes = 0
  readonly address: string
  closeCode: number | undefined
  readonly #watchers = new Watchers()
  #connection: DeviceConnection | undefined

  constructor(address: string) {
    this.address = address
  }

  /** Resolves once the device has been welcomed or refused. */
  static async connect(fleet: Fleet, options: MemoryDeviceOptions): Promise<MemoryDevice> {
    const { id, organization = 'acme', models = [aModel('m')], boot = 'b', address = '192.0.2.1', machine } = options
    const device = new MemoryDevice(address)
    const accept = await fleet.accept({ id, organization, name: id })
    device.#connection = accept(device)
    const greeting = { protocols: [1], app: '1.2.3', boot, engine: 'scripted', models: [...models] }
    device.say({ type: 'hello', ...greeting, ...(machine && { machine }) })
    const isAnswered = () => device.closeCode !== undefined || device.frames.length > 0
    await device.#watchers.until('the hello is answered', isAnswered, DEADLINE_MS)
    return device
  }

  send(text: string, whenSent?: () => void): void {
    parseGatewayFrames(text, (frame) => this.frames.push(frame))
    this.#watchers.look()
    whenSent?.()
  }

  close(code: number): void {
    this.closeCode = code
    this.#watchers.look()
  }

  say(...frames: readonly DeviceFrame[]): void {
    for (const frame of frames) this.#connection?.receive(encodeFrame(frame), performance.now())
  }

  /** Loses the connection without a close frame. */
  crash(): void {
    this.#connection?.ended()
  }

  /** The first frame of this type, about this job if one is named. */
  async hears<Type extends FrameType>(type: Type, job?: string): Promise<FrameOf<Type>> {
    const find = () => this.frames.find((frame) => isAbout(frame, type, job))
    await this.#watchers.until(`the device hears ${type} ${job ?? ''}`, () => find() !== undefined, DEADLINE_MS)
    return find() as FrameOf<Type>
  }

  async isClosed(): Promise<number> {
    await this.#watchers.until('the link is closed', () => this.closeCode !== undefined, DEADLINE_MS)
    return this.closeCode!
  }

  hasStarted(job: string): boolean {
    return this.frames.some((frame) => isAbout(frame, 'job-start', job))
  }

  /** Waits for the job and accepts it. */
  async accepts(job: string): Promise<JobAttempt> {
    const { attempt } = await this.hears('job-start', job)
    this.say({ type: 'job-accept', job, attempt })
    return { job, attempt }
  }

  /** Waits for the job and answers it whole. */
  async answers(job: string, text = 'hi'): Promise<void> {
    const attempt = await this.accepts(job)
    this.says(attempt, 0, text)
    this.ends(attempt, 1)
  }

  says(attempt: JobAttempt, sequence: number, text: string): void {
    this.say({ type: 'job-delta', ...attempt, sequence, choice: 0, text })
  }

  ends(attempt: JobAttempt, sequence: number): void {
    const usage = { promptTokens: 1, completionTokens: 2 }
    this.say({ type: 'job-end', ...attempt, sequence, finishes: ['stop'], usage })
  }
}

export function aModel(name: string, slots = 1): DeviceModel {
  return { name, contextLength: 100, slots, features: [] }
}

function isAbout(frame: GatewayFrame, type: FrameType, job: string | undefined): boolean {
  return frame.type === type && (job === undefined || ('job' in frame && frame.job === job))
}
