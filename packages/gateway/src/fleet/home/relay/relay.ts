// Copies models between the devices of one organization, piece by piece. The device that wants a model asks for each piece, the gateway
// asks a device that has it, and passes the bytes on as they came. At most a few pieces are in memory at once, and nothing is stored.

import { randomUUID } from 'node:crypto'
import { MAX_PIECE_BYTES, type SharedFile, type SharedModel } from '@hearth/protocol'
import type { DeviceIdentity, Link } from '../link.ts'
import { RelayPace } from './relay-pace.ts'

export interface RelayOptions {
  linksOf: (organization: string) => readonly Link[]
  /** For all copies together, so that they leave room on the line for answers. */
  bytesPerSecond?: number
  /** How long a device may take to send a piece. */
  pieceMs?: number
}

export interface WantedModel {
  name: string
  /** As it was written on the device that wants it. */
  source: string
}

export type PieceAnswer =
  | { kind: 'piece'; bytes: Buffer; totalBytes: number }
  /** No other device of the organization has the file, or it is shorter. */
  | { kind: 'unknown' }
  /** A device has it, but not right now. */
  | { kind: 'busy' }

interface Transfer {
  from: Link
  bytes: number
  settle: (bytes: Buffer | undefined) => void
}

const BYTES_PER_SECOND = 32 * 1024 * 1024
const PIECE_MS = 60_000
/** Pieces in memory at once. */
const MAX_TRANSFERS = 4

export class Relay {
  readonly #options: RelayOptions
  readonly #pace: RelayPace
  readonly #transfers = new Map<string, Transfer>()
  /** Devices that are getting a piece. */
  readonly #receiving = new Set<string>()

  constructor(options: RelayOptions) {
    this.#options = options
    this.#pace = new RelayPace(options.bytesPerSecond ?? BYTES_PER_SECOND)
  }

  /** A model that another device of the organization shares under this name, or from this source. */
  find(device: DeviceIdentity, { name, source }: WantedModel): SharedModel | undefined {
    const shared = this.#others(device).flatMap((link) => link.report.shared)
    return (
      shared.find((model) => model.name === name && model.files.length > 0) ??
      shared.find((model) => model.source === source && model.files.length > 0)
    )
  }

  async piece(device: DeviceIdentity, sha256: string, offset: number): Promise<PieceAnswer> {
    const holders = this.#others(device).flatMap((link) => {
      const file = findFile(link, sha256)
      return file === undefined || file.bytes <= offset ? [] : [{ link, file }]
    })
    if (holders.length === 0) return { kind: 'unknown' }
    const free = holders.find(({ link }) => !this.#isSending(link) && link.state.name === 'serving')
    if (free === undefined || this.#receiving.has(device.id) || this.#transfers.size >= MAX_TRANSFERS)
      return { kind: 'busy' }
    this.#receiving.add(device.id)
    try {
      const bytes = await this.#fetch(free.link, free.file, offset)
      return bytes === undefined ? { kind: 'busy' } : { kind: 'piece', bytes, totalBytes: free.file.bytes }
    } finally {
      this.#receiving.delete(device.id)
    }
  }

  /** How many bytes the device is expected to send for this transfer; undefined if nobody waits for them. */
  expects(device: DeviceIdentity, transfer: string): number | undefined {
    const waiting = this.#transfers.get(transfer)
    return waiting?.from.identity.id === device.id ? waiting.bytes : undefined
  }

  /** Fewer bytes mean that the device can't send them. */
  arrived(device: DeviceIdentity, transfer: string, bytes: Buffer): void {
    const expected = this.expects(device, transfer)
    if (expected === undefined) return
    this.#transfers.get(transfer)?.settle(bytes.length === expected ? bytes : undefined)
  }

  linkGone(link: Link): void {
    for (const transfer of this.#transfers.values()) if (transfer.from === link) transfer.settle(undefined)
  }

  async #fetch(from: Link, file: SharedFile, offset: number): Promise<Buffer | undefined> {
    const bytes = Math.min(MAX_PIECE_BYTES, file.bytes - offset)
    const transfer = randomUUID()
    const { promise, resolve } = Promise.withResolvers<Buffer | undefined>()
    this.#transfers.set(transfer, { from, bytes, settle: resolve })
    const timer = setTimeout(() => resolve(undefined), this.#options.pieceMs ?? PIECE_MS).unref()
    try {
      await this.#pace.take(bytes)
      from.send({ type: 'piece-wanted', transfer, sha256: file.sha256, offset, bytes })
      return await promise
    } finally {
      clearTimeout(timer)
      this.#transfers.delete(transfer)
    }
  }

  #others({ id, organization }: DeviceIdentity): Link[] {
    return this.#options.linksOf(organization).filter((link) => link.identity.id !== id)
  }

  #isSending(link: Link): boolean {
    return [...this.#transfers.values()].some(({ from }) => from === link)
  }
}

function findFile(link: Link, sha256: string): SharedFile | undefined {
  return link.report.shared.flatMap(({ files }) => files).find((file) => file.sha256 === sha256)
}
