// Copies models between the devices of one organization, piece by piece. The device that wants a model asks for each piece, the gateway
// asks a device that has it, and passes the bytes on as they come. Nothing is stored, and each piece on its way counts against a budget
// that organizations share.

import type { Readable } from 'node:stream'
import { MAX_PIECE_BYTES, type SharedModel } from '@hearth/protocol'
import type { Full, ByteBudget } from '@hearth/chat'
import type { DeviceLink } from '../device-link.ts'
import type { DeviceIdentity } from '../link.ts'
import { createPace } from './relay-pace.ts'
import { SharedModels, type FoundFile, type WantedModel } from './shared-models.ts'
import { Transfer, type Outcome } from './transfer.ts'

export interface RelayOptions {
  budget: ByteBudget
  /** For all copies together, so that they leave room on the line for answers. */
  bytesPerSecond?: number
  /** How long a device may take to send the first byte of a piece. */
  firstByteMs?: number
}

export interface Piece {
  kind: 'piece'
  /** Has something to read. */
  body: Readable
  bytes: number
  totalBytes: number
  /** To be called once the bytes are passed on, or can't be. */
  end: (outcome: Outcome) => void
}

export type PieceAnswer =
  | Piece
  /** No other device of the organization has the file, or it is shorter. */
  | { kind: 'unknown' }
  /** A device has it, but not right now. */
  | { kind: 'busy' }
  /** Too many pieces are on their way. */
  | { kind: 'full'; full: Full }

export const BYTES_PER_SECOND = 32 * 1024 * 1024
export const FIRST_BYTE_MS = 5_000
/** The buffers of both connections. */
export const TRANSFER_BYTES = 512 * 1024
/** Devices that are asked for one piece before the other device has to ask again. It gives up after thirty seconds. */
const MOST_ASKED = 3
/** Devices that are looked at for one that is free. */
export const MOST_LOOKED_AT = 256
/** A device that failed is asked last for this long. */
const FAILED_MS = 60_000

export class Relay {
  readonly #budget: ByteBudget
  readonly #firstByteMs: number
  readonly #pace: ReturnType<typeof createPace>
  readonly #shared = new SharedModels()
  /** By the device that sends it: one piece at a time. */
  readonly #transfers = new Map<string, Transfer>()
  /** Devices that have asked for a piece and not read it to its end. */
  readonly #receiving = new Set<string>()
  readonly #failedAt = new WeakMap<DeviceLink, number>()

  constructor({ budget, bytesPerSecond = BYTES_PER_SECOND, firstByteMs = FIRST_BYTE_MS }: RelayOptions) {
    this.#budget = budget
    this.#firstByteMs = firstByteMs
    this.#pace = createPace(bytesPerSecond)
  }

  /** The link has reported what its device shares now. */
  reported(link: DeviceLink): void {
    this.#shared.reported(link)
  }

  linkGone(link: DeviceLink): void {
    this.#shared.forget(link)
    const transfer = this.#transfers.get(link.identity.id)
    if (transfer?.from === link) transfer.end('failed')
  }

  /** A model that another device of the organization shares under this name, or from this source. */
  find(device: DeviceIdentity, wanted: WantedModel): SharedModel | undefined {
    return this.#shared.find(device, wanted)
  }

  /** `closed` is aborted when the reply is read or its connection is closed. Until then, the device gets no other piece. */
  async piece(device: DeviceIdentity, sha256: string, offset: number, closed: AbortSignal): Promise<PieceAnswer> {
    const [known] = this.#shared.holders(device, sha256, offset)
    if (known === undefined) return { kind: 'unknown' }
    if (this.#receiving.has(device.id) || closed.aborted) return { kind: 'busy' }
    const hold = this.#budget.open({ organization: device.organization, key: device.id })
    const full = hold.resize(TRANSFER_BYTES)
    if (full) return { kind: 'full', full }
    this.#receiving.add(device.id)
    closed.addEventListener('abort', () => {
      this.#receiving.delete(device.id)
      hold.close()
    })
    return this.#fromAnyone(device, sha256, offset, closed)
  }

  /**
   * The device sends a piece that it was asked for. Resolves when nobody needs its bytes any longer; undefined if nobody waits for them, or
   * somebody sends them already.
   */
  take(
    device: DeviceIdentity,
    id: string,
    body: Readable,
    declaredBytes: number | undefined,
  ): Promise<Outcome> | undefined {
    const transfer = this.#transfers.get(device.id)
    return transfer?.id === id && transfer.claim(body, declaredBytes) ? transfer.over : undefined
  }

  async #fromAnyone(
    device: DeviceIdentity,
    sha256: string,
    offset: number,
    closed: AbortSignal,
  ): Promise<Piece | { kind: 'busy' }> {
    const asked = new Set<DeviceLink>()
    while (asked.size < MOST_ASKED && !closed.aborted) {
      const holder = this.#choose(this.#shared.holders(device, sha256, offset), asked)
      if (holder === undefined) break
      asked.add(holder.link)
      const piece = await this.#fetch(holder, offset, closed)
      if (piece) return piece
    }
    return { kind: 'busy' }
  }

  /** One that is free; if there is a choice, one that hasn't failed lately. */
  #choose(holders: Iterable<FoundFile>, asked: ReadonlySet<DeviceLink>): FoundFile | undefined {
    let last: FoundFile | undefined
    for (const holder of Iterator.from(holders).take(MOST_LOOKED_AT)) {
      const { link } = holder
      if (asked.has(link) || this.#transfers.has(link.identity.id) || link.state.name !== 'serving') continue
      if (!this.#hasFailed(link)) return holder
      last ??= holder
    }
    return last
  }

  async #fetch({ link, value: file }: FoundFile, offset: number, closed: AbortSignal): Promise<Piece | undefined> {
    const bytes = Math.min(MAX_PIECE_BYTES, file.bytes - offset)
    const transfer = this.#open(link, bytes, closed)
    await this.#pace(link.identity.organization, bytes, closed)
    transfer.ask(file.sha256, offset, this.#firstByteMs)
    const body = await transfer.arrived
    const end = (outcome: Outcome) => transfer.end(outcome)
    return body && { kind: 'piece', body, bytes, totalBytes: file.bytes, end }
  }

  #open(from: DeviceLink, bytes: number, closed: AbortSignal): Transfer {
    const transfer = new Transfer(from, bytes, (outcome) => {
      this.#transfers.delete(from.identity.id)
      if (outcome === 'failed') this.#failedAt.set(from, performance.now())
    })
    this.#transfers.set(from.identity.id, transfer)
    closed.addEventListener('abort', () => transfer.end('left'))
    return transfer
  }

  #hasFailed(link: DeviceLink): boolean {
    return performance.now() - (this.#failedAt.get(link) ?? Number.NEGATIVE_INFINITY) < FAILED_MS
  }
}

export type { WantedModel }
