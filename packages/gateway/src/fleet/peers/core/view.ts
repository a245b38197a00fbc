// The peers of one generation, and which of them schedule organizations. Views never change.

import { winnerOf } from '../rendezvous.ts'

export interface Peer {
  /** Chosen at random when the process starts. */
  id: string
  /** Only grows. A gateway that was removed while it was away comes back with a higher number. */
  number: number
  /** Of the messages between gateways, not of the app. All peers have the same one. */
  version: string
  /** The others don't hear it on the bus: it schedules nothing until they do. */
  isSetAside: boolean
}

export class View {
  /** Only grows. */
  readonly generation: number
  readonly all: readonly Peer[]
  readonly ids: readonly string[]
  /** Everyone who is not set aside; everyone if all are. */
  readonly schedulers: readonly string[]
  readonly #schedulers = new Map<string, string | undefined>()

  constructor({ generation, rows }: { generation: number; rows: readonly Peer[] }) {
    this.generation = generation
    this.all = rows.map(({ id, number, version, isSetAside }) => ({ id, number, version, isSetAside }))
    this.ids = rows.map(({ id }) => id)
    const heard = rows.filter(({ isSetAside }) => !isSetAside)
    this.schedulers = (heard.length > 0 ? heard : rows).map(({ id }) => id)
  }

  schedulerOf(organization: string): string | undefined {
    const known = this.#schedulers.get(organization)
    if (known !== undefined) return known
    const scheduler = winnerOf(organization, this.schedulers)
    this.#schedulers.set(organization, scheduler)
    return scheduler
  }

  get hasSetAside(): boolean {
    return this.all.some(({ isSetAside }) => isSetAside)
  }

  /** The numbers of all peers but one. */
  others(number: number): number[] {
    return this.all.map(({ number }) => number).filter((other) => other !== number)
  }
}

export const NO_VIEW = new View({ generation: 0, rows: [] })
