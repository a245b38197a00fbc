// The gateways that form one service. Every change of the members makes a new generation, in the same transaction.

export interface ReplicaStore {
  /** Adds a member, unless there are members of another version. */
  joinReplicas(replica: { id: string; version: string }): Promise<{ number?: number; snapshot: ReplicaSnapshot }>
  /** Undefined if the replica is no longer a member. A renewal that comes after one with a higher turn changes nothing. */
  renewReplica(renewal: ReplicaRenewal): Promise<ReplicaSnapshot | undefined>
  /** Removes those that have not been renewed in the meantime. Returns the generation. */
  removeReplicas(replicas: readonly ReplicaState[]): Promise<number>
  /** Sets these aside and nobody else, unless the generation has changed in the meantime. Returns the generation. */
  setAsideReplicas(decision: SetAside): Promise<number>
  /** Removes it, and empties the peers of everyone who counts on it. Returns the generation. */
  leaveReplicas(number: number): Promise<number>
  /** Takes numbers for links. They are higher than all that were taken before. */
  takeLinkEpochs(count: number): Promise<number[]>
}

export interface ReplicaSweep {
  /** Removes all of them. Only for someone who knows that none of them runs. */
  forgetReplicas(): Promise<void>
}

export interface ReplicaRow {
  /** Never used again. */
  number: number
  id: string
  version: string
  /** The newest generation that it acts under; 0 before its first renewal. */
  acknowledged: number
  /** Grows with every renewal. */
  turn: number
  /** Who vouches for it while the database is away. Empty: nobody, so it then stops when its lease runs out. */
  peers: readonly number[]
  /** Whom it hears on the bus; itself too, if its own messages come back to it. */
  hears: readonly number[]
  /** The others don't hear it, so it owns nothing. Like the members, this changes only with the generation. */
  isSetAside: boolean
}

export type ReplicaRenewal = Pick<ReplicaRow, 'number' | 'turn' | 'acknowledged' | 'peers' | 'hears'>

export interface SetAside {
  generation: number
  numbers: readonly number[]
}

/** Identifies a row together with everything in it. */
export type ReplicaState = Pick<ReplicaRow, 'number' | 'turn'>

/** Read in one go, so that the rows are exactly the members of the generation. */
export interface ReplicaSnapshot {
  generation: number
  rows: readonly ReplicaRow[]
}
