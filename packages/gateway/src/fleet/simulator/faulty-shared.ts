// Gateways that break one rule each among others. A simulator that lets one of them pass proves nothing.

import type { Message, RoleMessage } from '../terms/messages.ts'
import type { PeerLinkListener } from '../peers/links/peer-links.ts'
import { change } from './change.ts'
import { ignoreSequence } from './faulty-lone.ts'
import type { Fault, Gateway } from './actors/simulated-gateway.ts'

type Listener = PeerLinkListener<Message>
type Statement = Extract<RoleMessage, { type: 'statement' }>

/** Changes how a gateway listens to its links. */
function listens(other: (original: Listener, gateway: Gateway) => Partial<Listener>): Fault {
  return {
    links: (links, gateway) => {
      change(links, 'listen', (listen) => (original) => listen({ ...original, ...other(original, gateway) }))
      return links
    },
  }
}

function hears(message: (original: Listener['message'], gateway: Gateway) => Listener['message']): Fault {
  return listens((original, gateway) => ({ message: message((...one) => original.message(...one), gateway) }))
}

/** True for every `count`th call. */
function everyNth(count: number): () => boolean {
  let turn = 0
  return () => (turn += 1) % count === 0
}

function takesVoidGrants({ front }: Gateway['roles']): void {
  front.isVoid = () => false
}

export const FAULTY_SHARED: Record<string, () => Fault> = {
  IgnoresMandates: () => ({
    peers: (peers) => {
      peers.maySchedule = (organization) => peers.schedulerOf(organization) === peers.self
      return peers
    },
  }),
  IgnoresSequence: () => ({ roles: ({ front }) => ignoreSequence(front) }),
  ForgetsHomes: () => ({ roles: ({ front }) => (front.homeLost = () => {}) }),
  KeepsJobsOfLostFronts: () => ({ roles: ({ home }) => (home.frontLost = () => {}) }),
  ForgetsWhatRuns: () => ({
    roles: ({ home }) => {
      home.isFull = () => false
      change(home, 'state', (state) => (isWanted) => {
        const idle = [...state(isWanted)].map(
          ([name, all]) => [name, all.map((one) => ({ ...one, open: [] }))] as const,
        )
        return new Map(idle)
      })
    },
  }),
  NeverSaysWhatIsOver: () => ({ roles: ({ home }) => (home.releasedWanted = () => {}) }),
  DropsNoDoubles: () => {
    const isDoubled = everyNth(50)
    return hears((original) => (from, message) => {
      original(from, message)
      if (isDoubled()) original(from, message)
    })
  },
  LosesMessages: () => {
    const isLost = everyNth(200)
    return {
      links: (links) => {
        change(links, 'send', (send) => (to, message) => (isLost() ? undefined : send(to, message)))
        return links
      },
    }
  },
  StatesNothingAfterABreak: () => listens(() => ({ up: () => {} })),
  LosesAloneWhatHangsOnAPeer: () => ({
    links: (links) => {
      change(links, 'listen', (listen) => (original) => {
        links.break = (peer, why) => original.down(peer, why)
        listen(original)
      })
      return links
    },
  }),
  ComparesClocks: () =>
    hears(
      (original, gateway) => (from, message) =>
        original(from, message.type === 'statement' ? byOtherClock(message, gateway, from) : message),
    ),
}

/** Those that only jobs in an orderly world notice: elsewhere, a job that starts again is nothing unusual. */
export const FAULTY_IN_ORDER: Record<string, () => Fault> = {
  OpensBeforeAllHaveStated: () => ({ roles: ({ scheduler }) => (scheduler.haveAllStated = () => true) }),
  TakesVoidGrants: () => ({ roles: takesVoidGrants }),
  // A new scheduler gets all jobs stated, which voids the grants of the one before too. So either check would be enough.
  ObeysFormerSchedulers: () => ({
    roles: takesVoidGrants,
    ...hears((original, { peers }) => (from, message) => {
      const sender = message.type === 'grant' ? peers.schedulerOf(message.organization) : from
      original(sender ?? from, message)
    }),
  }),
}

/** As if jobs were stated with times instead of ages. */
function byOtherClock(message: Statement, { process, world }: Gateway, from: string): Statement {
  const other = world.alive.find(({ name }) => name === from)
  const differenceMs = other === undefined ? 0 : process.offsetMs - other.process.offsetMs
  const { statement } = message
  const jobs = statement.jobs.map((job) => ({ ...job, ageMs: job.ageMs + differenceMs }))
  return { ...message, statement: { ...statement, jobs } }
}
