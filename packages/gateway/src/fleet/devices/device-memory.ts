// The memory that a device takes here because it said something: the models that it serves, its reports, and a message that has not arrived
// completely. All of it counts against budgets that organizations and their devices share, until the link is closed. Reports have a budget
// of their own: however much devices report, they can connect and answer.

import { MAX_FRAME_BYTES, type DeviceFrame, type Hello } from '@hearth/protocol'
import type { Full, Reservation } from '@hearth/chat'
import { heapBytes } from '../../budget/heap-bytes.ts'
import type { DeviceBudgets } from '../../budget/memory-budgets.ts'
import { dropUnprintableInside } from '../../text/printable.ts'
import type { DeviceReport } from '../terms/fleet-view.ts'
import type { DeviceIdentity } from './link.ts'
import { printableDownloads, printableLibrary, printableShared } from './printable-report.ts'

/** Besides the announcement itself: its place at the scheduler, which is largest for a model that no other device has. */
const SCHEDULED_MODEL_BYTES = 3_900
/** Greetings leave this much of an organization's share free: its devices have to be able to send replies. */
const ROOM_FOR_MESSAGES = 2 * MAX_FRAME_BYTES

/** The same for all devices: there may be ten thousand. */
export const NOTHING_REPORTED: DeviceReport = {
  downloads: [],
  backend: undefined,
  rest: undefined,
  energy: undefined,
  library: undefined,
  shared: [],
}

type FrameOf<Kind> = Extract<DeviceFrame, { type: Kind }>
export type ReportFrame = FrameOf<keyof DeviceReport>

/** The figures of a meter change all the time, and wait until someone looks. */
export function isNews(before: DeviceReport, after: DeviceReport): boolean {
  return after.energy === before.energy || after.energy === undefined || before.energy === undefined
}

const READ: { [Kind in keyof DeviceReport]: (frame: FrameOf<Kind>) => DeviceReport[Kind] } = {
  downloads: ({ downloads }) => printableDownloads(downloads),
  backend: ({ backend }) => dropUnprintableInside(backend),
  rest: ({ rest }) => dropUnprintableInside(rest),
  energy: ({ energy }) => energy,
  library: ({ library }) => printableLibrary(library),
  shared: ({ models }) => printableShared(models),
}

export function addToReport(report: DeviceReport, frame: ReportFrame): DeviceReport {
  // Each reader gets frames of its own type only, which the compiler can't follow through the table.
  const read = READ[frame.type] as (frame: ReportFrame) => unknown
  return { ...report, [frame.type]: read(frame) }
}

export class DeviceMemory {
  readonly #link: Reservation
  readonly #reports: Reservation
  /** By kind of report. Most devices report little. */
  readonly #sizes: { [kind in ReportFrame['type']]?: number } = {}
  #helloBytes = 0
  #arrivingBytes = 0
  #reportBytes = 0
  report = NOTHING_REPORTED

  constructor(budgets: DeviceBudgets, { organization, id }: DeviceIdentity) {
    this.#link = budgets.devices.open({ organization, key: id })
    this.#reports = budgets.reports.open({ organization, key: id })
  }

  /** Without messages that are arriving. */
  get reportedBytes(): number {
    return this.#helloBytes + this.#reportBytes
  }

  /** Undefined if there is room. */
  keepHello(hello: Hello): Full | undefined {
    const bytes = heapBytes(hello) + SCHEDULED_MODEL_BYTES * hello.models.length
    const wanted = bytes + this.#arrivingBytes
    const full = bytes > this.#helloBytes ? this.#link.resize(wanted + ROOM_FOR_MESSAGES) : undefined
    if (full !== undefined) return full
    this.#helloBytes = bytes
    return this.#link.resize(wanted)
  }

  keepArriving(bytes: number): Full | undefined {
    this.#arrivingBytes = bytes
    return this.#link.resize(this.#helloBytes + bytes)
  }

  /** If there is no room, the earlier report stays. */
  keepReport(frame: ReportFrame): Full | undefined {
    const bytes = heapBytes(frame)
    const wanted = this.#reportBytes - (this.#sizes[frame.type] ?? 0) + bytes
    const full = this.#reports.resize(wanted)
    if (full !== undefined) return full
    this.#sizes[frame.type] = bytes
    this.#reportBytes = wanted
    this.report = addToReport(this.report, frame)
    return undefined
  }

  close(): void {
    this.#link.close()
    this.#reports.close()
    this.report = NOTHING_REPORTED
  }
}

const HOLDERS: Readonly<Record<Full, string>> = {
  key: 'This device takes',
  organization: "Your organization's devices take",
  process: 'All devices together take',
}

/** For the owner of a device. */
export function noticeOf(full: Full): string {
  return `${HOLDERS[full]} up the memory that the gateway has for what devices report, so it keeps an earlier report of this one. Remove models and downloads that you don't need, or ask the operator of the gateway to raise MEMORY_BUDGET_MB.`
}

const SENDERS: Readonly<Record<Full, string>> = {
  key: 'this device sends',
  organization: 'your devices send',
  process: 'all devices send',
}

/** In the 120 characters that a connection can be closed with. */
export function closeReasonOf(full: Full): string {
  return `no memory left for what ${SENDERS[full]}: remove models or devices you don't need, or ask the gateway's operator`
}
