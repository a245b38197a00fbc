// Gateways that break one rule each. A simulator that lets one of them pass proves nothing.

import type { JobFrame } from '../home/link.ts'
import type { Peers } from '../peers/peers.ts'
import { Front } from '../front/front.ts'
import { Home } from '../home/home.ts'
import { Owner } from '../scheduler/owner.ts'
import type { Message, RoleMessage } from '../messages.ts'
import type { WireListener, Wires } from '../peer-link/peer-links.ts'
import type { Fault, Replica } from './replica.ts'

class IgnoresSequence extends Front {
  readonly #next = new Map<string, number>()

  override frame(frame: JobFrame): void {
    if (frame.type !== 'job-delta' && frame.type !== 'job-end') return super.frame(frame)
    const key = `${frame.job} ${frame.attempt}`
    const sequence = this.#next.get(key) ?? 0
    this.#next.set(key, sequence + 1)
    super.frame({ ...frame, sequence })
  }
}

class ForgetsHomes extends Front {
  override homeLost(): void {}
}

class KeepsJobsOfLostFronts extends Home {
  override frontLost(): void {}
}

class ForgetsWhatRuns extends Home {
  override state(isWanted: (organization: string) => boolean): ReturnType<Home['state']> {
    const stated = super.state(isWanted)
    const idle = [...stated].map(([name, devices]) => [name, devices.map((one) => ({ ...one, open: [] }))] as const)
    return new Map(idle)
  }

  protected override isFull(): boolean {
    return false
  }
}

class NeverSaysWhatIsOver extends Home {
  override releasedWanted(): void {}
}

class OpensBeforeAllHaveStated extends Owner {
  protected override haveAllStated(): boolean {
    return true
  }
}

class TakesVoidGrants extends Front {
  protected override isVoid(): boolean {
    return false
  }
}

function withRights(peers: Peers, maySchedule: Peers['maySchedule']): Peers {
  return {
    self: peers.self,
    get all() {
      return peers.all
    },
    get schedulers() {
      return peers.schedulers
    },
    get generation() {
      return peers.generation
    },
    schedulerOf: (organization) => peers.schedulerOf(organization),
    maySchedule,
    onChange: (listener) => peers.onChange(listener),
    nextEpoch: () => peers.nextEpoch(),
    status: () => peers.status(),
    leave: () => peers.leave(),
  }
}

type Change = Partial<Pick<Wires<Message>, 'send' | 'break'>> & {
  listener?: (listener: WireListener<Message>) => Partial<WireListener<Message>>
}

function withWires(change: (wires: Wires<Message>, replica: Replica) => Change): Fault {
  return {
    wires: (wires, replica) => {
      const { send, break: breakWire, listener } = change(wires, replica)
      return {
        self: wires.self,
        send: send ?? ((to, message) => wires.send(to, message)),
        break: breakWire ?? ((to, why) => wires.break(to, why)),
        isUp: (to) => wires.isUp(to),
        backlog: (to) => wires.backlog(to),
        stats: () => wires.stats(),
        close: () => wires.close(),
        listen: (original) => wires.listen({ ...original, ...listener?.(original) }),
      }
    },
  }
}

/** Every so often. */
function everyNth(count: number): () => boolean {
  let turn = 0
  return () => (turn += 1) % count === 0
}

export const FAULTY: Record<string, () => Fault> = {
  IgnoresLeases: () => ({
    peers: (peers) => withRights(peers, (organization) => peers.schedulerOf(organization) === peers.self),
  }),
  IgnoresSequence: () => ({ parts: { front: IgnoresSequence } }),
  ForgetsHomes: () => ({ parts: { front: ForgetsHomes } }),
  KeepsJobsOfLostFronts: () => ({ parts: { home: KeepsJobsOfLostFronts } }),
  ForgetsWhatRuns: () => ({ parts: { home: ForgetsWhatRuns } }),
  NeverSaysWhatIsOver: () => ({ parts: { home: NeverSaysWhatIsOver } }),
  DropsNoDoubles: () => {
    const isDoubled = everyNth(50)
    return withWires(() => ({
      listener: (original) => ({
        message: (from, one) => {
          original.message(from, one)
          if (isDoubled()) original.message(from, one)
        },
      }),
    }))
  },
  LosesMessages: () => {
    const isLost = everyNth(200)
    return withWires((wires) => ({ send: (to, message) => (isLost() ? undefined : wires.send(to, message)) }))
  },
  StatesNothingAfterABreak: () => withWires(() => ({ listener: () => ({ up: () => {} }) })),
  LosesAloneWhatHangsOnAMember: () => {
    return withWires(() => {
      let down = (_replica: string, _why: string) => {}
      return {
        break: (replica, why) => down(replica, why),
        listener: (original) => {
          down = (replica, why) => original.down(replica, why)
          return {}
        },
      }
    })
  },
  ComparesClocks: () =>
    withWires((_wires, replica) => ({
      listener: (original) => ({
        message: (from, one) =>
          original.message(from, one.type === 'statement' ? byOtherClock(one, from, replica) : one),
      }),
    })),
}

/** Those that only jobs in an orderly world notice: elsewhere, a job that starts again is nothing unusual. */
export const FAULTY_IN_ORDER: Record<string, () => Fault> = {
  OpensBeforeAllHaveStated: () => ({ parts: { owner: OpensBeforeAllHaveStated } }),
  TakesVoidGrants: () => ({ parts: { front: TakesVoidGrants } }),
  // A new owner gets all jobs stated, which voids the grants of the one before too. So either check would be enough.
  ObeysFormerOwners: () => ({
    parts: { front: TakesVoidGrants },
    ...withWires((_wires, { peers }) => ({
      listener: (original) => ({
        message: (from, one) => original.message(one.type === 'grant' ? ownerFor(one, peers, from) : from, one),
      }),
    })),
  }),
}

function ownerFor({ organization }: { organization: string }, peers: Peers, from: string): string {
  return peers.schedulerOf(organization) ?? from
}

/** As if jobs were stated with times instead of ages. */
function byOtherClock(
  message: Extract<RoleMessage, { type: 'statement' }>,
  from: string,
  replica: Replica,
): Extract<RoleMessage, { type: 'statement' }> {
  const other = replica.world.replicas.find(({ name }) => name === from)
  const differenceMs = other === undefined ? 0 : replica.offsetMs - other.offsetMs
  const { statement } = message
  const jobs = statement.jobs.map((job) => ({ ...job, ageMs: job.ageMs + differenceMs }))
  return { ...message, statement: { ...statement, jobs } }
}
