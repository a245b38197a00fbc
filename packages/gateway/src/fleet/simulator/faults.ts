// Gateways that break one promise each. A simulator that lets one of them pass proves nothing.

import { FEATURES, type DeviceModel } from '@hearth/protocol'
import type { Reply } from '@hearth/chat'
import type { Jobs } from '../jobs/jobs.ts'
import type { JobFrame } from '../terms/job-frame.ts'
import type { LeaseOf, Message } from '../terms/messages.ts'
import type { PeerLinkListener } from '../peers/links/peer-links.ts'
import type { Scheduler } from '../scheduler/core/scheduler.ts'
import type { Decision } from '../scheduler/core/types.ts'
import { change } from './change.ts'
import type { Fault, Gateway } from './actors/simulated-gateway.ts'

type Frames = (frame: JobFrame, pass: (frame: JobFrame) => void) => void
type Listener = PeerLinkListener<Message>

/** Hears something else than devices say. */
function mishears(frames: Frames): Fault {
  return { roles: ({ jobs }) => change(jobs, 'frame', (pass) => (frame) => frames(frame, pass)) }
}

/** Takes the models of devices for others, when they come or when they say something new. */
function sees(when: 'first' | 'later', other: (model: DeviceModel) => Partial<DeviceModel>): Fault {
  return {
    scheduler: (scheduler) => {
      const known = new Set<string>()
      change(scheduler, 'reported', (tell) => (one, now) => {
        const link = `${one.device} ${one.epoch}`
        const isWrong = known.has(link) === (when === 'later')
        known.add(link)
        tell(isWrong ? { ...one, models: one.models.map((model) => ({ ...model, ...other(model) })) } : one, now)
      })
    },
  }
}

/** Some of what the scheduler has decided is not carried out. */
function keep({ decisions }: Scheduler, isKept: (decision: Decision) => boolean): void {
  decisions.splice(0, decisions.length, ...decisions.filter(isKept))
}

/** Numbers events as they come, so that it delivers every one. */
function ignoreSequence(jobs: Jobs): void {
  const nexts = new Map<string, number>()
  change(jobs, 'frame', (pass) => (frame) => {
    if (frame.type !== 'job-delta' && frame.type !== 'job-sealed' && frame.type !== 'job-end') return pass(frame)
    const key = `${frame.job} ${frame.attempt}`
    const sequence = nexts.get(key) ?? 0
    nexts.set(key, sequence + 1)
    pass({ ...frame, sequence })
  })
}

/** Takes news of any lease of a device for news of the latest one. */
function ignoreLeases(scheduler: Scheduler): void {
  const latest = new Map<string, number>()
  const right = (of: LeaseOf) => ({ ...of, lease: latest.get(of.device) ?? of.lease })
  change(scheduler, 'accepted', (accepted) => (of, now) => {
    latest.set(of.device, of.lease)
    accepted(of, now)
  })
  change(
    scheduler,
    'settle',
    (settle) =>
      (from, of, ...rest) =>
        settle(from, right(of), ...rest),
  )
  change(scheduler, 'freed', (free) => (of, now) => free(right(of), now))
}

function withReply(breakIt: (reply: Reply) => void): Fault {
  return {
    roles: ({ jobs }) =>
      change(jobs, 'submit', (submit) => (ticket, job, recipient) => {
        if (recipient.kind === 'plain') breakIt(recipient.reply)
        return submit(ticket, job, recipient)
      }),
  }
}

/** Does not tell devices to stop. */
function withholds(isWithheld: (job: string, reason: string) => boolean): Fault {
  return {
    roles: ({ hub }) =>
      change(hub, 'order', (pass) => (device, epoch, order) => {
        if (order.type !== 'job-cancel' || !isWithheld(order.job, order.reason)) pass(device, epoch, order)
      }),
  }
}

function withholdsSecond(): Fault {
  let before = ''
  return withholds((job, reason) => {
    const isSecond = reason === 'client-gone' && before === job
    before = job
    return isSecond
  })
}

/** Of a gateway that has no peers. */
export const FAULTS_ALONE: Record<string, Fault> = {
  LeaksSlots: { scheduler: (scheduler) => (scheduler.freed = () => {}) },
  IgnoresLeases: { scheduler: ignoreLeases },
  StartsBeyondBudgets: { budgets: (known) => ({ ...known, used: () => 0 }) },
  RejectsWithinBudgets: { budgets: (known) => ({ ...known, used: () => Infinity }) },
  ForgetsReservations: { budgets: (known) => ({ ...known, of: () => undefined }) },
  DeliversTwice: { roles: ({ jobs }) => ignoreSequence(jobs) },
  LosesEvents: mishears((frame, pass) => {
    if (!('sequence' in frame) || frame.sequence < 30) pass(frame)
    else if (frame.sequence > 30) pass({ ...frame, sequence: frame.sequence - 1 })
  }),
  Overbooks: sees('first', ({ slots }) => ({ slots: slots + 1 })),
  MixesOrganizations: {
    roles: ({ schedulers }) => change(schedulers, 'of', (find) => (_organization, from) => find('one', from)),
  },
  OverlooksFeatures: sees('first', () => ({ features: [...FEATURES] })),
  OverlooksLostFeatures: sees('later', () => ({ features: [...FEATURES] })),
  KeepsImpossibleJobs: {
    scheduler: (scheduler) =>
      change(scheduler, 'reported', (tell) => (...news) => {
        tell(...news)
        keep(scheduler, (decision) => decision.type !== 'decline' || decision.outcome.kind !== 'unsupported')
      }),
  },
  OverlooksSeals: {
    scheduler: (scheduler) =>
      change(scheduler, 'request', (take) => (front, request, now) => {
        const { sealedFor: _sealedFor, ...ticket } = request.ticket
        take(front, { ...request, ticket }, now)
      }),
  },
  OverlooksDraining: {
    scheduler: (scheduler) =>
      change(scheduler, 'reported', (tell) => (one, now) => tell({ ...one, isDraining: false }, now)),
  },
  KeepsNoTime: { roles: ({ jobs }) => (jobs.tick = () => {}) },
  TriesForEver: { limits: { attempts: 99, crashes: 99 } },
  QueuesWithoutBound: { limits: { queuePerKey: 1e9, queuePerOrganization: 1e9 } },
  EndsTwice: withReply((reply) =>
    change(reply, 'end', (end) => (...how) => {
      end(...how)
      end(...how)
    }),
  ),
  NeverRestarts: withReply((reply) => (reply.restart = () => {})),
  LosesJobs: { roles: ({ jobs }) => (jobs.attemptLost = () => {}) },
  LosesDecisions: {
    scheduler: (scheduler) =>
      change(scheduler, 'settle', (settle) => (...one) => {
        settle(...one)
        if (one[2].kind === 'lost') keep(scheduler, () => false)
      }),
  },
  MiscountsTokens: mishears((frame, pass) => {
    pass(frame.type === 'job-delta' && frame.sequence === 3 ? { ...frame, tokens: (frame.tokens ?? 0) + 1 } : frame)
  }),
  CountsNoPrompts: mishears((frame, pass) => {
    const { type } = frame
    pass(type === 'job-progress' ? { type, job: frame.job, attempt: frame.attempt, phase: frame.phase } : frame)
  }),
  ForgivesRevokedKeys: { roles: ({ jobs }) => (jobs.keyRevoked = () => {}) },
  CollectsWithoutBound: {
    roles: ({ jobs }) =>
      change(jobs, 'submit', (submit) => (...job) => ({ ...submit(...job), giveUp: () => {} })),
  },
  WaitsForLateDevices: { limits: { hedgeMs: 400 } },
  OffersTwiceAtOnce: { limits: { hedgeMs: 5 } },
  RunsOnTwoDevices: withholds((_job, reason) => reason === 'superseded'),
  MissesSecondAccepts: mishears((frame, pass) => {
    if (frame.type !== 'job-accept' || frame.attempt !== 2) pass(frame)
  }),
  TakesDevicesForLate: { scheduler: (scheduler) => (scheduler.accepted = () => {}) },
  LeavesSecondOffers: withholdsSecond(),
  LoadsNeedlessly: sees('first', () => ({ state: 'loaded' })),
  OverlooksUnloading: sees('later', () => ({ state: 'loaded' })),
  NeverLoads: { limits: { patienceMs: 1e9 } },
  LoadsForEver: mishears((frame, pass) => pass(frame.type === 'job-progress' ? { ...frame, phase: 'prompt' } : frame)),
  ContinuesWithAnotherFile: sees('first', () => ({ digest: 'one' })),
  ContinuesWithLessContext: sees('first', () => ({ contextLength: 9_999 })),
  WaitsForLostDevices: { limits: { returnMs: 1e9 } },
  /** Takes a part of the reply that the client has for thoughts. */
  RunsStreamsAgain: {
    roles: ({ jobs }) =>
      change(jobs, 'accept', (accept) => (job, offer, now) => {
        Object.defineProperty(job.answer, 'hasShown', { get: () => false, set: () => {}, configurable: true })
        return accept(job, offer, now)
      }),
  },
  HandsOverToNobody: { roles: ({ jobs }) => (jobs.handOver = (job, run, now) => jobs.faulted(job, run, now)) },
  KeepsLeases: {
    scheduler: (scheduler) =>
      change(
        scheduler,
        'settle',
        (settle) =>
          (...one) =>
            one[2].kind === 'refused' ? undefined : settle(...one),
      ),
  },
}

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

/** Of one of several gateways. */
export const FAULTS_AMONG_OTHERS: Record<string, () => Fault> = {
  IgnoresLeaderships: () => ({
    peers: (peers) => {
      peers.maySchedule = (organization) => peers.view.schedulerOf(organization) === peers.self
      return peers
    },
  }),
  IgnoresSequence: () => ({ roles: ({ jobs }) => ignoreSequence(jobs) }),
  ForgetsHubs: () => ({ roles: ({ jobs }) => (jobs.hubLost = () => {}) }),
  KeepsJobsOfLostFronts: () => ({ roles: ({ hub }) => (hub.frontLost = () => {}) }),
  ForgetsWhatRuns: () => ({
    roles: ({ hub }) => {
      hub.isFull = () => false
      change(hub, 'reportOf', (reportOf) => (link) => ({ ...reportOf(link), taken: [] }))
    },
  }),
  StartsVoidLeases: () => ({
    roles: ({ hub }) => {
      hub.isFull = () => false
      hub.isCurrent = () => true
    },
  }),
  NeverSaysWhatIsTaken: () => ({ roles: ({ hub }) => (hub.reportWanted = () => {}) }),
  KeepsVoidLeases: () => ({
    scheduler: (scheduler) => {
      const first = new Map<string, number>()
      change(scheduler, 'reported', (tell) => (one, now) => {
        const link = `${one.device} ${one.epoch}`
        first.set(link, first.get(link) ?? one.edition)
        tell({ ...one, edition: first.get(link)! }, now)
      })
    },
  }),
  NeverRequestsAgain: () => ({ roles: ({ jobs }) => (jobs.requestAgain = () => {}) }),
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
  ReportsNothingAfterABreak: () => listens(() => ({ up: () => {} })),
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
    hears((original, gateway) => (from, message) => original(from, byOtherClock(message, gateway, from))),
}

/** Those that only jobs in an orderly world notice: elsewhere, a job that starts again is nothing unusual. */
export const FAULTS_IN_ORDER: Record<string, () => Fault> = {
  OpensBeforeAllHaveSynced: () => ({ roles: ({ schedulers }) => (schedulers.haveAllSynced = () => true) }),
}

/** Those that show where only links of devices are cut: elsewhere, nobody knows what became of an offer. */
export const FAULTS_OF_LINKS: Record<string, () => Fault> = {
  CountsUnsentOffers: () => ({
    roles: ({ jobs }) => change(jobs, 'attemptLost', (lose) => (attempt) => lose({ ...attempt, wasSent: true })),
  }),
  LeasesLostLinks: () => ({
    scheduler: (scheduler) =>
      change(scheduler, 'settle', (settle) => (from, of, settlement, ...rest) => {
        settle(from, of, settlement.kind === 'lost' ? { ...settlement, kind: 'failed' } : settlement, ...rest)
      }),
  }),
}

/** As if slot requests had times instead of lengths. */
function byOtherClock(message: Message, { process, world }: Gateway, from: string): Message {
  if (message.type !== 'slot-request') return message
  const other = world.alive.find(({ name }) => name === from)
  const differenceMs = other === undefined ? 0 : other.process.offsetMs - process.offsetMs
  const { request } = message
  return { ...message, request: { ...request, waitMs: request.waitMs + differenceMs } }
}
