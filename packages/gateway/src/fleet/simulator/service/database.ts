// Stands in for PostgreSQL: queries take effect one after the other, each at once and completely.

import type { PeerRow, PeerSnapshot, IsolationList } from '../../../store/peers.ts'
import type { QueryResult, Query } from '../../peers/core/queries.ts'

export class Database {
  readonly rows = new Map<number, PeerRow>()
  generation = 0
  #lastNumber = 0

  run(query: Query): QueryResult {
    switch (query.name) {
      case 'join':
        return this.#join(query)
      case 'renew':
        return this.#renew(query)
      case 'remove':
        for (const { number, turn } of query.rows) if (this.rows.get(number)?.turn === turn) this.#delete(number)
        return { name: 'removed', generation: this.generation }
      case 'isolated':
        this.isolated(query)
        return { name: 'isolated', generation: this.generation }
      case 'leave':
        this.#delete(query.number)
        this.#release(query.number)
        return { name: 'left', generation: this.generation }
      default:
        return query satisfies never
    }
  }

  isolated({ generation, numbers }: IsolationList): void {
    if (generation !== this.generation) return
    this.generation += 1
    for (const row of this.rows.values())
      this.rows.set(row.number, { ...row, isIsolated: numbers.includes(row.number) })
  }

  #join({ id, version }: Query & { name: 'join' }): QueryResult {
    if ([...this.rows.values()].some((row) => row.version !== version))
      return { name: 'refused', snapshot: this.#snapshot() }
    const number = ++this.#lastNumber
    this.generation += 1
    this.rows.set(number, {
      number,
      id,
      version,
      acknowledged: 0,
      turn: 0,
      peers: [],
      bus: null,
      hears: [],
      isIsolated: false,
    })
    return { name: 'joined', number, snapshot: this.#snapshot() }
  }

  #renew({ number, turn, acknowledged, peers, bus, hears }: Query & { name: 'renew' }): QueryResult {
    const row = this.rows.get(number)
    if (!row || row.turn >= turn) return { name: 'gone' }
    const snapshot = this.#snapshot()
    this.rows.set(number, { ...row, turn, acknowledged, peers, bus, hears })
    return { name: 'renewed', snapshot }
  }

  #delete(number: number): void {
    if (this.rows.delete(number)) this.generation += 1
  }

  /** Nobody who has left vouches for anybody. */
  #release(peer: number): void {
    for (const row of this.rows.values()) if (row.peers.includes(peer)) this.rows.set(row.number, { ...row, peers: [] })
  }

  #snapshot(): PeerSnapshot {
    return { generation: this.generation, rows: [...this.rows.values()] }
  }
}
