// A model as the device announces it. One that is not in memory is announced the way it was when it last was, or as it probably will be.

import { MAX_LOAD_MS, type DeviceModel } from '@hearth/protocol'
import type { ModelEntry } from '../models/registry/registry.ts'
import type { HostedModel } from './hosted-model.ts'
import type { ModelSupervisor } from './model-supervisor.ts'

/** Known about models while they are not loaded. */
export interface ModelFacts {
  /** Undefined if nothing is known, for example because the file is damaged. */
  recall(entry: ModelEntry): { model: DeviceModel; loadMs: number } | undefined
  remember(entry: ModelEntry, model: DeviceModel, loadMs: number): void
  /** When it was last used, on the device's clock; undefined if never. */
  usedAt(entry: ModelEntry): number | undefined
}

export function announceLoaded({ state, supervisor }: HostedModel): DeviceModel[] {
  if (state.name !== 'serving') return []
  return [{ ...state.model, ...announceBlocked(supervisor) }]
}

export function announceUnloaded({ state, supervisor }: HostedModel, facts: ModelFacts | undefined): DeviceModel[] {
  if (state.name !== 'loading' && state.name !== 'loadable') return []
  const known = facts?.recall(supervisor.entry)
  if (known === undefined) return []
  const loadMs = Math.min(MAX_LOAD_MS, Math.round(known.loadMs))
  return [{ ...known.model, state: state.name, loadMs, ...announceBlocked(supervisor) }]
}

function announceBlocked({ blocked }: Pick<ModelSupervisor, 'blocked'>): Pick<DeviceModel, 'blockedRequests'> {
  return blocked === undefined ? {} : { blockedRequests: blocked.requests }
}
