// Lone gateways that break one promise each. A simulator that lets one of them pass proves nothing.

import { FEATURES, type DeviceModel } from '@hearth/protocol'
import type { Reply } from '@hearth/chat'
import type { Front } from '../jobs/front.ts'
import type { JobFrame } from '../terms/job-frame.ts'
import type { SchedulerCore } from '../slots/core/scheduler-core.ts'
import type { Effect, LinkedDevice } from '../slots/core/types.ts'
import type { Reporter } from '../terms/job.ts'
import { change } from './change.ts'
import type { Fault } from './actors/simulated-gateway.ts'

type Frames = (frame: JobFrame, pass: (frame: JobFrame) => void) => void

/** A front that hears something else than devices say. */
function hears(mishear: () => Frames): Fault {
  return {
    roles: ({ front }) => {
      const frames = mishear()
      change(front, 'frame', (pass) => (frame) => frames(frame, pass))
    },
  }
}

/** A scheduler that takes the models of devices for others. */
function sees(call: 'deviceUp' | 'deviceModels', other: (model: DeviceModel) => Partial<DeviceModel>): Fault {
  const all = (models: readonly DeviceModel[]) => models.map((model) => ({ ...model, ...other(model) }))
  return {
    core: (core) => {
      if (call === 'deviceUp')
        change(core, 'deviceUp', (up) => (one, now) => up({ ...one, models: all(one.models) }, now))
      else change(core, 'deviceModels', (tell) => (id, epoch, models, now) => tell(id, epoch, all(models), now))
    },
  }
}

/** Some of what the core has decided is not carried out. */
function keep(core: SchedulerCore, isKept: (effect: Effect) => boolean): void {
  core.effects.splice(0, core.effects.length, ...core.effects.filter(isKept))
}

/** Numbers events as they come, so that it delivers every one. */
export function ignoreSequence(front: Front): void {
  const nexts = new Map<string, number>()
  change(front, 'frame', (pass) => (frame) => {
    if (frame.type !== 'job-delta' && frame.type !== 'job-sealed' && frame.type !== 'job-end') return pass(frame)
    const key = `${frame.job} ${frame.attempt}`
    const sequence = nexts.get(key) ?? 0
    nexts.set(key, sequence + 1)
    pass({ ...frame, sequence })
  })
}

function ignoreEpochs(core: SchedulerCore): void {
  const epochs = new Map<string, number>()
  const right = (from: Reporter) => ({ ...from, epoch: epochs.get(from.device) ?? from.epoch })
  change(core, 'deviceUp', (up) => (linked: LinkedDevice, now) => {
    epochs.set(linked.device, linked.epoch)
    up(linked, now)
  })
  change(core, 'failed', (fail) => (from, failure, now) => fail(right(from), failure, now))
  change(core, 'cancelConfirmed', (confirm) => (from, now) => confirm(right(from), now))
  change(core, 'refused', (refuse) => (from, reason, now) => refuse(right(from), reason, now))
}

function withReply(other: (reply: Reply) => Partial<Reply>): Fault {
  return {
    roles: ({ front }) =>
      change(front, 'submit', (submit) => (ticket, job, recipient) => {
        if (recipient.kind === 'sealed') return submit(ticket, job, recipient)
        const { reply } = recipient
        const { restart, ...rest } = other(reply)
        return submit(ticket, job, {
          kind: 'plain',
          reply: {
            placed: (placement) => reply.placed(placement),
            text: (...text) => reply.text(...text),
            toolCalls: (...calls) => reply.toolCalls(...calls),
            annotations: (...annotations) => reply.annotations(...annotations),
            restart: restart ?? (() => reply.restart()),
            end: (...end) => reply.end(...end),
            fail: (outcome) => reply.fail(outcome),
            ...rest,
          },
        })
      }),
  }
}

export const FAULTY_LONE: Record<string, Fault> = {
  LeaksSlots: {
    core: (core) => {
      core.cancelConfirmed = () => {}
      core.vacate = () => {}
    },
  },
  IgnoresEpochs: { core: ignoreEpochs },
  DeliversTwice: { roles: ({ front }) => ignoreSequence(front) },
  LosesEvents: hears(() => (frame, pass) => {
    if (!('sequence' in frame) || frame.sequence < 30) pass(frame)
    else if (frame.sequence > 30) pass({ ...frame, sequence: frame.sequence - 1 })
  }),
  Overbooks: sees('deviceUp', ({ slots }) => ({ slots: slots + 1 })),
  MixesOrganizations: {
    roles: ({ scheduler }) => change(scheduler, 'take', (take) => (from, _to, message) => take(from, 'one', message)),
  },
  OverlooksFeatures: sees('deviceUp', () => ({ features: [...FEATURES] })),
  OverlooksLostFeatures: sees('deviceModels', () => ({ features: [...FEATURES] })),
  KeepsImpossibleJobs: {
    core: (core) =>
      change(core, 'deviceModels', (tell) => (...news) => {
        tell(...news)
        keep(core, (effect) => effect.type !== 'finish' || effect.outcome.kind !== 'unsupported')
      }),
  },
  OverlooksSeals: {
    core: (core) =>
      change(core, 'submit', (submit) => (ticket, ...rest) => {
        const { sealedFor: _sealedFor, ...open } = ticket
        submit(open, ...rest)
      }),
  },
  OverlooksDraining: { core: (core) => (core.deviceDraining = () => {}) },
  KeepsNoTime: { core: (core) => (core.nextDeadline = () => undefined) },
  TriesForEver: { limits: { attempts: 99, crashes: 99 } },
  QueuesWithoutBound: { limits: { queuePerKey: 1e9, queuePerOrganization: 1e9 } },
  EndsTwice: withReply((reply) => ({
    end: (...end) => {
      reply.end(...end)
      reply.end(...end)
    },
  })),
  NeverRestarts: withReply(() => ({ restart: () => {} })),
  LosesJobs: {
    core: (core) =>
      change(core, 'deviceDown', (down) => (...link) => {
        down(...link)
        keep(core, () => false)
      }),
  },
  MiscountsTokens: hears(() => (frame, pass) => {
    pass(frame.type === 'job-delta' && frame.sequence === 3 ? { ...frame, tokens: (frame.tokens ?? 0) + 1 } : frame)
  }),
  CountsNoPrompts: hears(() => (frame, pass) => {
    const { type } = frame
    pass(type === 'job-progress' ? { type, job: frame.job, attempt: frame.attempt, phase: frame.phase } : frame)
  }),
  ForgivesRevokedKeys: { roles: ({ front }) => (front.keyRevoked = () => {}) },
  CollectsWithoutBound: {
    roles: ({ front }) =>
      change(front, 'submit', (submit) => (...job) => ({ ...submit(...job), giveUp: () => {} })),
  },
  WaitsForLateDevices: { limits: { hedgeMs: 400 } },
  OffersTwiceAtOnce: { limits: { hedgeMs: 5 } },
  RunsOnTwoDevices: {
    roles: ({ front }) => change(front, 'accepted', (accepted) => (job, run) => accepted(job, run, [])),
  },
  MissesSecondAccepts: {
    core: (core) =>
      change(core, 'accepted', (accepted) => (from, now) => (from.attempt === 2 ? undefined : accepted(from, now))),
  },
  LeavesSecondOffers: {
    roles: ({ home }) => {
      let before = ''
      change(home, 'tell', (tell) => (front, of, frame) => {
        const isSecond = frame.type === 'job-cancel' && frame.reason === 'client-gone' && before === of.job
        before = of.job
        if (!isSecond) tell(front, of, frame)
      })
    },
  },
  LoadsNeedlessly: sees('deviceUp', () => ({ state: 'loaded' })),
  OverlooksUnloading: sees('deviceModels', () => ({ state: 'loaded' })),
  NeverLoads: { limits: { patienceMs: 1e9 } },
  LoadsForEver: {
    core: (core) => (core.loading = (from, now) => core.progress(from, undefined, now)),
  },
  ContinuesWithAnotherFile: sees('deviceUp', () => ({ digest: 'one' })),
  ContinuesWithLessContext: sees('deviceUp', () => ({ contextLength: 9_999 })),
  WaitsForLostDevices: { limits: { returnMs: 1e9 } },
  /** Takes a part of the reply that the client has for thoughts. */
  RunsStreamsAgain: {
    roles: ({ front }) =>
      change(front, 'accepted', (accepted) => (job, run, others) => {
        Object.defineProperty(job.answer, 'hasShown', { get: () => false, set: () => {}, configurable: true })
        accepted(job, run, others)
      }),
  },
  HandsOverToNobody: { core: (core) => (core.handOver = (from, now) => core.faulted(from, now)) },
}
