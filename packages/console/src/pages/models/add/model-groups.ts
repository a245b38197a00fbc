// The list of models as a shop sorts it: what fits best comes first, and what is too slow or too large comes last.

import { isSlow, qualityOf, type Estimate, type ModelFacts } from '@hearth/model-list'
import { estimateOn, type DeviceMachine } from './device-machine.ts'

export interface ModelGroup<Model> {
  title: string
  models: { model: Model; estimate?: Estimate }[]
}

type Entry<Model> = { model: Model; estimate: Estimate }

const GROUPS = ['gpu', 'short-context', 'cpu', 'slow', 'too-large'] as const
type GroupName = (typeof GROUPS)[number]

/** One group with all of them if there is no machine yet. */
export function groupModels<Model extends ModelFacts>(
  models: readonly Model[],
  machine: DeviceMachine | undefined,
): ModelGroup<Model>[] {
  if (machine === undefined) return models.length === 0 ? [] : [{ title: 'All models', models: models.map(alone) }]
  const entries = models.map((model) => ({ model, estimate: estimateOn(machine, model) }))
  const byName = Map.groupBy(entries, ({ estimate }) => groupOf(estimate))
  return GROUPS.flatMap((name) => {
    const found = byName.get(name)
    return found === undefined ? [] : [{ title: titleOf(name, machine), models: order(name, found) }]
  })
}

function alone<Model>(model: Model) {
  return { model }
}

function groupOf({ fit, speed }: Estimate): GroupName {
  if (fit.grade === 'too-large') return 'too-large'
  return speed !== undefined && isSlow(speed) ? 'slow' : fit.grade
}

const TITLES: Record<GroupName, string> = {
  gpu: 'Fits the GPU',
  'short-context': 'Fits the GPU with a shorter context',
  cpu: 'Fits, but runs partly on the processor',
  slow: 'Fits, but slow: less than 5 tokens/s',
  'too-large': 'Too large',
}

/** Without a GPU, the processor is no second choice. */
function titleOf(name: GroupName, { facts }: DeviceMachine): string {
  return name === 'cpu' && facts.gpu === undefined ? 'Fits' : TITLES[name]
}

/** The best comes first; of slow models the fastest, and of those that are too large the nearest to fit. */
function order<Model extends ModelFacts>(name: GroupName, entries: readonly Entry<Model>[]): Entry<Model>[] {
  if (name === 'too-large') return entries.toSorted((one, other) => one.model.bytes - other.model.bytes)
  if (name === 'slow') return entries.toSorted((one, other) => speedIn(other) - speedIn(one))
  return entries.toSorted((one, other) => qualityOf(other.model) - qualityOf(one.model))
}

function speedIn({ estimate: { speed } }: { estimate: Estimate }): number {
  return speed?.tokensPerSecond ?? 0
}
