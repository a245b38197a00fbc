// Schedulers that break one promise each. A simulator that lets one of them pass proves nothing.

import { FEATURES } from '@hearth/protocol'
import { SchedulerCore } from '../../scheduler/core/scheduler-core.ts'
import type {
  CancelReason,
  DeviceModel,
  Effect,
  Failure,
  LinkedDevice,
  Ms,
  SchedulerLimits,
  Reporter,
  Ticket,
  Verdict,
} from '../../scheduler/core/types.ts'

class LeaksSlots extends SchedulerCore {
  override cancelConfirmed(): void {}
}

class IgnoresEpochs extends SchedulerCore {
  readonly #epochs = new Map<string, number>()

  override deviceUp(linked: LinkedDevice, now: Ms): void {
    super.deviceUp(linked, now)
    this.#epochs.set(linked.device, Math.max(linked.epoch, this.#epochs.get(linked.device) ?? 0))
  }

  override receive(from: Reporter, sequence: number, tokens: number, now: Ms, isShown?: boolean): Verdict {
    const epoch = this.#epochs.get(from.device) ?? from.epoch
    return super.receive({ ...from, epoch }, sequence, tokens, now, isShown)
  }
}

class DeliversTwice extends SchedulerCore {
  override receive(from: Reporter, sequence: number, tokens: number, now: Ms, isShown?: boolean): Verdict {
    super.receive(from, sequence, tokens, now, isShown)
    return 'deliver'
  }
}

class LosesEvents extends SchedulerCore {
  override receive(from: Reporter, sequence: number, tokens: number, now: Ms, isShown?: boolean): Verdict {
    const verdict = super.receive(from, sequence, tokens, now, isShown)
    return sequence === 30 ? 'drop' : verdict
  }
}

class Overbooks extends SchedulerCore {
  override deviceUp(linked: LinkedDevice, now: Ms): void {
    const models: DeviceModel[] = linked.models.map((model) => ({ ...model, slots: model.slots + 1 }))
    super.deviceUp({ ...linked, models }, now)
  }
}

class MixesOrganizations extends SchedulerCore {
  override submit(ticket: Ticket, now: Ms): void {
    super.submit({ ...ticket, organization: 'one' }, now)
  }

  override deviceUp(linked: LinkedDevice, now: Ms): void {
    super.deviceUp({ ...linked, organization: 'one' }, now)
  }
}

class OverlooksFeatures extends SchedulerCore {
  override deviceUp(linked: LinkedDevice, now: Ms): void {
    super.deviceUp({ ...linked, models: linked.models.map((model) => ({ ...model, features: [...FEATURES] })) }, now)
  }
}

class OverlooksLostFeatures extends SchedulerCore {
  override deviceModels(device: string, epoch: number, models: readonly DeviceModel[], now: Ms): void {
    const able = models.map((model) => ({ ...model, features: [...FEATURES] }))
    super.deviceModels(device, epoch, able, now)
  }
}

class KeepsImpossibleJobs extends SchedulerCore {
  override deviceModels(device: string, epoch: number, models: readonly DeviceModel[], now: Ms): void {
    super.deviceModels(device, epoch, models, now)
    const kept = this.effects.filter((effect) => effect.type !== 'finish' || effect.outcome.kind !== 'unsupported')
    this.effects.splice(0, this.effects.length, ...kept)
  }
}

class OverlooksDraining extends SchedulerCore {
  override deviceDraining(): void {}
}

class KeepsNoTime extends SchedulerCore {
  override nextDeadline(): Ms | undefined {
    return undefined
  }
}

class TriesForEver extends SchedulerCore {
  constructor(limits: SchedulerLimits) {
    super({ ...limits, attempts: 99, crashes: 99 })
  }
}

class QueuesWithoutBound extends SchedulerCore {
  constructor(limits: SchedulerLimits) {
    super({ ...limits, queuePerKey: 1e9, queuePerOrganization: 1e9 })
  }
}

class EndsTwice extends SchedulerCore {
  override cancel(job: string, _reason: unknown, now: Ms): void {
    super.cancel(job, 'client-gone', now)
    this.effects.push(...this.effects.filter((effect) => effect.type === 'finish'))
  }
}

class NeverRestarts extends SchedulerCore {
  override failed(from: Reporter, failure: Failure, now: Ms): void {
    super.failed(from, failure, now)
    const kept: Effect[] = this.effects.filter((effect) => effect.type !== 'restart')
    this.effects.splice(0, this.effects.length, ...kept)
  }
}

class LosesJobs extends SchedulerCore {
  override deviceDown(device: string, epoch: number, now: Ms): void {
    super.deviceDown(device, epoch, now)
    this.effects.length = 0
  }
}

class MiscountsTokens extends SchedulerCore {
  override receive(from: Reporter, sequence: number, tokens: number, now: Ms, isShown?: boolean): Verdict {
    return super.receive(from, sequence, sequence === 3 ? tokens + 1 : tokens, now, isShown)
  }
}

class CountsNoPrompts extends SchedulerCore {
  override progress(from: Reporter, _promptTokens: unknown, now: Ms): void {
    super.progress(from, undefined, now)
  }
}

class ForgivesRevokedKeys extends SchedulerCore {
  override keyRevoked(): void {}
}

class CollectsWithoutBound extends SchedulerCore {
  override outOfMemory(): void {}
}

class WaitsForLateDevices extends SchedulerCore {
  constructor(limits: SchedulerLimits) {
    super({ ...limits, hedgeMs: limits.acceptMs })
  }
}

class OffersTwiceAtOnce extends SchedulerCore {
  constructor(limits: SchedulerLimits) {
    super({ ...limits, hedgeMs: 5 })
  }
}

class RunsOnTwoDevices extends SchedulerCore {
  override accepted(from: Reporter, now: Ms): void {
    super.accepted(from, now)
    const kept = this.effects.filter((effect) => effect.type !== 'cancel')
    this.effects.splice(0, this.effects.length, ...kept)
  }
}

class MissesSecondAccepts extends SchedulerCore {
  override accepted(from: Reporter, now: Ms): void {
    if (from.attempt !== 2) super.accepted(from, now)
  }
}

class LeavesSecondOffers extends SchedulerCore {
  override cancel(job: string, reason: CancelReason, now: Ms): void {
    super.cancel(job, reason, now)
    const cancels = this.effects.filter((effect) => effect.type === 'cancel' && effect.job === job)
    if (cancels.length === 2) this.effects.splice(this.effects.indexOf(cancels[1]!), 1)
  }
}

class LoadsNeedlessly extends SchedulerCore {
  override deviceUp(linked: LinkedDevice, now: Ms): void {
    super.deviceUp({ ...linked, models: linked.models.map((model) => ({ ...model, state: 'loaded' })) }, now)
  }
}

class OverlooksUnloading extends SchedulerCore {
  override deviceModels(device: string, epoch: number, models: readonly DeviceModel[], now: Ms): void {
    const present = models.map((model) => ({ ...model, state: 'loaded' as const }))
    super.deviceModels(device, epoch, present, now)
  }
}

class NeverLoads extends SchedulerCore {
  constructor(limits: SchedulerLimits) {
    super({ ...limits, patienceMs: 1e9 })
  }
}

class LoadsForEver extends SchedulerCore {
  override loading(from: Reporter, now: Ms): void {
    super.progress(from, undefined, now)
  }
}

class ContinuesWithAnotherFile extends SchedulerCore {
  override deviceUp(linked: LinkedDevice, now: Ms): void {
    super.deviceUp({ ...linked, models: linked.models.map((model) => ({ ...model, digest: 'one' })) }, now)
  }
}

class ContinuesWithLessContext extends SchedulerCore {
  override deviceUp(linked: LinkedDevice, now: Ms): void {
    super.deviceUp({ ...linked, models: linked.models.map((model) => ({ ...model, contextLength: 9_999 })) }, now)
  }
}

class WaitsForLostDevices extends SchedulerCore {
  constructor(limits: SchedulerLimits) {
    super({ ...limits, returnMs: 1e9 })
  }
}

/** Takes a part of the reply that the client has for thoughts. */
class RunsStreamsAgain extends SchedulerCore {
  override receive(from: Reporter, sequence: number, tokens: number, now: Ms): Verdict {
    return super.receive(from, sequence, tokens, now, false)
  }
}

class HandsOverToNobody extends SchedulerCore {
  override handOver(from: Reporter, now: Ms): void {
    super.faulted(from, now)
  }
}

export const FAULTY_CORES: readonly (new (limits: SchedulerLimits) => SchedulerCore)[] = [
  LeaksSlots,
  IgnoresEpochs,
  DeliversTwice,
  LosesEvents,
  Overbooks,
  MixesOrganizations,
  OverlooksFeatures,
  OverlooksLostFeatures,
  KeepsImpossibleJobs,
  OverlooksDraining,
  KeepsNoTime,
  TriesForEver,
  QueuesWithoutBound,
  EndsTwice,
  NeverRestarts,
  LosesJobs,
  MiscountsTokens,
  CountsNoPrompts,
  ForgivesRevokedKeys,
  CollectsWithoutBound,
  WaitsForLateDevices,
  OffersTwiceAtOnce,
  RunsOnTwoDevices,
  MissesSecondAccepts,
  LeavesSecondOffers,
  LoadsNeedlessly,
  OverlooksUnloading,
  NeverLoads,
  LoadsForEver,
  ContinuesWithAnotherFile,
  ContinuesWithLessContext,
  WaitsForLostDevices,
  RunsStreamsAgain,
  HandsOverToNobody,
]
