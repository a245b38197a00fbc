// Says what a reference stands for before anything is downloaded: which quantizations there are, how large, and which of them fit here.

import { MAX_FOUND, type Quantization } from '@hearth/protocol'
import { STARTER_MODEL, type ListedModel } from '@hearth/model-list'
import { requireFound, type FoundWorld } from '../found/find-files.ts'
import type { FoundFile } from '../found/found-file.ts'
import type { SizeFit } from '../hub/choose-group.ts'
import { HubUnreachable } from '../hub/hub.ts'
import { chooseFrom, openChoice, type JudgeModel, type ResolveWorld } from '../hub/resolve.ts'
import { licenseOf } from '../hub/suggest.ts'
import { checkName } from '../registry/model-name.ts'
import { defaultName, isStarter, type ModelSource } from './source.ts'

export interface ModelDescription {
  /** The name it will be served under. */
  name: string
  license?: string | undefined
  /** Smallest first. Empty if the source says nothing before a download. */
  candidates: ModelCandidate[]
  /** Those that can be asked for by name, smallest first. */
  quantizations: Quantization[]
}

export interface ModelCandidate {
  quant?: string
  /** All files together. */
  bytes: number
  fit: SizeFit
  /** A pull without a quantization takes this one. */
  isChosen: boolean
}

/** Throws CommandError if there is no such model, or it needs a license. */
export async function describeSource(
  source: ModelSource,
  world: ResolveWorld & FoundWorld,
  signal: AbortSignal,
): Promise<ModelDescription> {
  const name = checkName(defaultName(source))
  const listed = source.kind === 'listed' ? source.model : source.kind === 'starter' ? STARTER_MODEL : undefined
  const describe = (candidates: ModelCandidate[], license = listed?.license.name): ModelDescription => {
    const quantizations = candidates.flatMap((candidate) => toQuantization(source, candidate))
    return { name, license, candidates, quantizations: quantizations.slice(0, MAX_FOUND) }
  }
  if (listed !== undefined && isStarter(source)) return describe(fromList(listed, await world.judge()))
  if (source.kind === 'found') return describe([await candidateOf(await requireFound(source.name, world), world)])
  if (source.kind !== 'listed' && source.kind !== 'hub') return describe([])
  try {
    const license = source.kind === 'hub' ? licenseOf(source, world.hub, signal) : undefined
    const candidates = await fromHub(source, world, signal)
    return describe(candidates, await license)
  } catch (error) {
    if (!(error instanceof HubUnreachable) || listed === undefined) throw error
    return describe(fromList(listed, await world.judge()))
  }
}

async function candidateOf({ bytes, quant }: FoundFile, { judge }: ResolveWorld): Promise<ModelCandidate> {
  const fit = (await judge())({ bytes })
  return { bytes, fit, isChosen: fit.fits, ...(quant !== undefined && { quant }) }
}

/** A file or a revision has no reference that names a quantization. */
function toQuantization(source: ModelSource, { quant, bytes }: ModelCandidate): Quantization[] {
  if (quant === undefined) return []
  if (source.kind === 'listed') {
    const name = defaultName({ ...source, quant })
    return [{ quant, name, source: name, bytes }]
  }
  if (source.kind !== 'hub' || source.path !== undefined || source.revision !== undefined) return []
  return [{ quant, name: defaultName(source), source: `hf:${source.owner}/${source.repository}:${quant}`, bytes }]
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
    fit: judge({ bytes: group.bytes, ...choice.known }),
    isChosen: group === chosen,
    ...(group.quant === undefined ? {} : { quant: group.quant }),
  }))
  return candidates.toSorted((a, b) => a.bytes - b.bytes)
}

function fromList(model: ListedModel, judge: JudgeModel): ModelCandidate[] {
  const { contextBytesPerToken, contextLength, quantizations } = model
  const candidates = quantizations.map(({ name, bytes }) => {
    const fit = judge({ bytes, contextBytesPerToken, contextLength })
    return { quant: name, bytes, fit }
  })
  const chosen = candidates.find(({ fit }) => fit.fits)
  return candidates.map((candidate) => ({ ...candidate, isChosen: candidate === chosen }))
}
