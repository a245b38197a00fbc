// How many bytes requests, replies, devices and copies of models may take up in this process.

import { MAX_FRAME_BYTES } from '@hearth/protocol'
import { ByteBudget } from '@hearth/chat'

export interface MemoryBudgets {
  /** Bodies that are arriving, and jobs until they can no longer be sent to a device. */
  requests: ByteBudget
  /** Replies that are being collected, or that their client has not read yet. */
  replies: ByteBudget
  /** What connected devices serve, and messages of theirs that are arriving. */
  devices: ByteBudget
  /** What else devices report about themselves: their downloads, the models on their disks, and so on. */
  reports: ByteBudget
  /** Pieces of models on their way between devices. Keys are devices here. */
  relay: ByteBudget
}

/** For devices. */
export type DeviceBudgets = Pick<MemoryBudgets, 'devices' | 'reports'>

export interface BudgetSizes {
  /** For requests and replies together; undefined means half of the heap. */
  totalBytes: number | undefined
  heapLimitBytes: number
  maxBodyBytes: number
}

/** A key gets a third, and a body's text may take two bytes per character. */
const BODIES_AT_LEAST = 3 * 2
/** Sixty-four pieces on their way, of which one organization gets up to half. The line is full long before. */
export const RELAY_BYTES = 32 * 1024 * 1024

const MIB = 1024 * 1024
/** A device gets a third, and has to be able to send a message of the maximum size. */
const MESSAGES_AT_LEAST = 3 * 4
/**
 * However large the heap: all of it is shown in the console, and a view of it must not keep the process busy. Ten thousand devices with a model
 * each have room.
 */
export const MOST_OF_AN_ORGANIZATION = { devices: 52 * MIB, reports: 12 * MIB }

export function openBudgets({ totalBytes, heapLimitBytes, maxBodyBytes }: BudgetSizes): MemoryBudgets {
  const half = Math.floor((totalBytes ?? heapLimitBytes / 2) / 2)
  return {
    // An idle gateway has to accept a body of the maximum size.
    requests: new ByteBudget(Math.max(half, BODIES_AT_LEAST * maxBodyBytes)),
    replies: new ByteBudget(half),
    // On top: requests must not depend on how much devices say.
    devices: new ByteBudget(
      Math.max(Math.floor(half / 2), MESSAGES_AT_LEAST * MAX_FRAME_BYTES),
      MOST_OF_AN_ORGANIZATION.devices,
    ),
    reports: new ByteBudget(
      Math.max(Math.floor(half / 4), MESSAGES_AT_LEAST * MAX_FRAME_BYTES),
      MOST_OF_AN_ORGANIZATION.reports,
    ),
    relay: new ByteBudget(RELAY_BYTES),
  }
}
