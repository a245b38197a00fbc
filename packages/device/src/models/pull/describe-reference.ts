// Says what a reference stands for before anything is downloaded: which quantizations there are, how large, and which of them fit here.

import { STARTER_MODEL, type License, type ListedModel } from '@hearth/model-list'
import type { Fit } from '../hub/choose-group.ts'
import { HubUnreachable } from '../hub/hub.ts'
import { chooseFrom, openChoice, type JudgeModel, type ResolveWorld } from '../hub/resolve.ts'
import { checkName, defaultName, isStarter, type ModelSource } from './source.ts'

export interface ModelDescription {
  /** The name it will be served under. */
  name: string
  /** Only for models of the list. */
  listed?: { name: string; title: string; license: License; contextLength: number }
  /** Smallest first. Empty if the source says nothing before a download. */
  candidates: ModelCandidate[]
}

export interface ModelCandidate {
  quant?: string
  /** All files together. */
  bytes: number
  /** The size comes from the list, because the hub can't be reached. */
  isApproximate: boolean
  fit: Fit
  /** A pull without a quantization takes this one. */
  isChosen: boolean
}

/** Throws CommandError if there is no such model, or it needs a license. */
export async function describeSource(
  source: ModelSource,
  world: ResolveWorld,
  signal: AbortSignal,
): Promise<ModelDescription> {
  const name = checkName(defaultName(source))
  const model = source.kind === 'listed' ? source.model : source.kind === 'starter' ? STARTER_MODEL : undefined
  const listed = model === undefined ? {} : { listed: summary(model) }
  if (model !== undefined && isStarter(source))
    return { name, ...listed, candidates: fromList(model, await world.judge()) }
  if (source.kind !== 'listed' && source.kind !== 'hub') return { name, ...listed, candidates: [] }
  try {
    return { name, ...listed, candidates: await fromHub(source, world, signal) }
  } catch (error) {
    if (!(error instanceof HubUnreachable) || model === undefined) throw error
    return { name, ...listed, candidates: fromList(model, await world.judge()) }
  }
}

function summary({ name, title, license, contextLength }: ListedModel): NonNullable<ModelDescription['listed']> {
  return { name, title, license, contextLength }
}

async function fromHub(
  source: Extract<ModelSource, { kind: 'hub' | 'listed' }>,
  world: ResolveWorld,
  signal: AbortSignal,
): Promise<ModelCandidate[]> {
  const choice = await openChoice(source, world, signal)
  const judge = await world.judge()
  // If nothing fits, the candidates say so.
  const chosen = await chooseFrom(choice, source, defaultName(source), world).catch(() => undefined)
  const candidates = choice.groups.map((group) => ({
    bytes: group.bytes,
    isApproximate: false,
    fit: judge({ bytes: group.bytes, ...choice.known }),
    isChosen: group === chosen,
    ...(group.quant === undefined ? {} : { quant: group.quant }),
  }))
  return candidates.toSorted((a, b) => a.bytes - b.bytes)
}

function fromList(model: ListedModel, judge: JudgeModel): ModelCandidate[] {
  const { contextBytesPerToken, contextLength, quantizations } = model
  const candidates = quantizations.map(({ name, bytes, isApproximate }) => {
    const fit = judge({ bytes, contextBytesPerToken, contextLength })
    return { quant: name, bytes, isApproximate, fit }
  })
  const chosen = candidates.find(({ fit }) => fit.fits)
  return candidates.map((candidate) => ({ ...candidate, isChosen: candidate === chosen }))
}
