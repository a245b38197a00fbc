// The memory that a device takes here because it said something: its greeting, its reports, and a message that has not arrived completely.
// All of it counts against a budget that organizations and their devices share, until the link is closed.

import { MAX_FRAME_BYTES, type Hello } from '@hearth/protocol'
import type { ByteBudget, Full, Hold } from '../../budget/byte-budget.ts'
import { heapBytes } from '../../budget/heap-bytes.ts'
import { addToReport, NOTHING_REPORTED, type ReportFrame } from './device-report.ts'
import type { DeviceIdentity } from './link.ts'

type Kept = 'hello' | 'arriving' | ReportFrame['type']

/** Besides the announcement itself: its place at the scheduler, which is largest for a model that no other device has. */
const SCHEDULED_MODEL_BYTES = 3 * 1024

/** Reports leave this much of an organization's share free: its devices have to be able to send replies, however much they reported. */
const ROOM_FOR_MESSAGES = 2 * MAX_FRAME_BYTES

export class DeviceMemory {
  readonly #hold: Hold
  /** Most devices report little. */
  readonly #sizes: { [kept in Kept]?: number } = {}
  #bytes = 0
  report = NOTHING_REPORTED

  constructor(budget: ByteBudget, { organization, id }: DeviceIdentity) {
    this.#hold = budget.open({ organization, key: id })
  }

  get reportedBytes(): number {
    return this.#bytes - (this.#sizes.arriving ?? 0)
  }

  /** Undefined if there is room. */
  keepHello(hello: Hello): Full | undefined {
    return this.#keep('hello', heapBytes(hello) + SCHEDULED_MODEL_BYTES * hello.models.length)
  }

  /** If there is no room, the earlier report stays. */
  keepReport(frame: ReportFrame): Full | undefined {
    const full = this.#keep(frame.type, heapBytes(frame))
    if (full === undefined) this.report = addToReport(this.report, frame)
    return full
  }

  keepArriving(bytes: number): Full | undefined {
    return this.#resize('arriving', bytes)
  }

  close(): void {
    this.#hold.close()
    this.report = NOTHING_REPORTED
  }

  #keep(kept: Kept, bytes: number): Full | undefined {
    const isMore = bytes > (this.#sizes[kept] ?? 0)
    return (isMore ? this.#resize(kept, bytes + ROOM_FOR_MESSAGES) : undefined) ?? this.#resize(kept, bytes)
  }

  #resize(kept: Kept, bytes: number): Full | undefined {
    const wanted = this.#bytes - (this.#sizes[kept] ?? 0) + bytes
    const full = this.#hold.resize(wanted)
    if (full !== undefined) return full
    this.#sizes[kept] = bytes
    this.#bytes = wanted
    return undefined
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

/** In the 120 characters that a connection can be closed with. */
export function closeReasonOf(full: Full): string {
  const who = full === 'key' ? 'this device sends' : full === 'organization' ? 'your devices send' : 'all devices send'
  return `no memory left for what ${who}: remove models or devices you don't need, or ask the gateway's operator`
}
