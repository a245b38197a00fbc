// Stands in for PostgreSQL: statements take effect one after the other, each at once and completely.

import type { ReplicaRow, ReplicaSnapshot, SetAside } from '../../../store/store.ts'
import type { Outcome, Statement } from '../core/statements.ts'

export class Database {
  readonly rows = new Map<number, ReplicaRow>()
  generation = 0
  #lastNumber = 0

  run(statement: Statement): Outcome {
    switch (statement.name) {
      case 'join':
        return this.#join(statement)
      case 'renew':
        return this.#renew(statement)
      case 'remove':
        for (const { number, turn } of statement.rows) if (this.rows.get(number)?.turn === turn) this.#delete(number)
        return { name: 'removed', generation: this.generation }
      case 'set-aside':
        this.setAside(statement)
        return { name: 'set-aside', generation: this.generation }
      case 'leave':
        this.#delete(statement.number)
        this.#release(statement.number)
        return { name: 'left', generation: this.generation }
      default:
        return statement satisfies never
    }
  }

  protected setAside({ generation, numbers }: SetAside): void {
    if (generation !== this.generation) return
    this.generation += 1
    for (const row of this.rows.values())
      this.rows.set(row.number, { ...row, isSetAside: numbers.includes(row.number) })
  }

  #join({ id, version }: Statement & { name: 'join' }): Outcome {
    if ([...this.rows.values()].some((row) => row.version !== version))
      return { name: 'refused', snapshot: this.#snapshot() }
    const number = ++this.#lastNumber
    this.generation += 1
    this.rows.set(number, { number, id, version, acknowledged: 0, turn: 0, peers: [], hears: [], isSetAside: false })
    return { name: 'joined', number, snapshot: this.#snapshot() }
  }

  #renew({ number, turn, acknowledged, peers, hears }: Statement & { name: 'renew' }): Outcome {
    const row = this.rows.get(number)
    if (!row || row.turn >= turn) return { name: 'gone' }
    const snapshot = this.#snapshot()
    this.rows.set(number, { ...row, turn, acknowledged, peers, hears })
    return { name: 'renewed', snapshot }
  }

  #delete(number: number): void {
    if (this.rows.delete(number)) this.generation += 1
  }

  /** Nobody who has left vouches for anybody. */
  #release(peer: number): void {
    for (const row of this.rows.values()) if (row.peers.includes(peer)) this.rows.set(row.number, { ...row, peers: [] })
  }

  #snapshot(): ReplicaSnapshot {
    return { generation: this.generation, rows: [...this.rows.values()] }
  }
}
