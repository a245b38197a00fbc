// What people in the console ask for, in the words of the device: the model that they mean, and why something can't be done.

import { plainSource, type FoundModel, type ModelReply } from '@hearth/protocol'
import { formatMemory } from '@hearth/command-line/format'
import { leastMemory } from '@hearth/model-list'
import type { LookedUp } from '../models/model-store.ts'
import type { ModelDescription } from '../models/pull/describe-reference.ts'
import { RequestProblem } from './request-problem.ts'

export function tooMany(): RequestProblem {
  return new RequestProblem(
    'no-room',
    'it has as many downloads as it takes, with those that wait, are paused or failed',
    'wait for some of them, or cancel them',
  )
}

export function notDownloading(model: string): RequestProblem {
  return new RequestProblem(
    'not-found',
    `it is not downloading ${model} any more`,
    'if the download has finished, remove the model instead',
  )
}

export function noSuchServer(address: string): RequestProblem {
  return new RequestProblem(
    'not-found',
    `it has found no local server at ${plainSource(address)}`,
    'if it runs there, restart the device app, which looks for servers at its start',
  )
}

export function describeFound(reference: string, { description, hits }: LookedUp): Pick<ModelReply, 'found' | 'hits'> {
  if (description === undefined) return { hits }
  return { found: { ...toFound(reference, description), quantizations: description.quantizations }, hits }
}

/** Throws RequestProblem if the text means no model, or none that fits. */
export function toFetch(reference: string, { description }: LookedUp): FoundModel {
  if (description === undefined)
    throw new RequestProblem('not-found', `"${plainSource(reference)}" is not the name of a model`, 'look it up first')
  const { name, candidates } = description
  if (candidates.length > 0 && !candidates.some(({ isChosen }) => isChosen)) throw tooLarge(name, candidates)
  return toFound(reference, description)
}

/** If nothing fits, the smallest counts: the console shows what is missing for it. */
function toFound(reference: string, { name, candidates, license }: ModelDescription): FoundModel {
  const { bytes } = candidates.find(({ isChosen }) => isChosen) ?? candidates[0] ?? { bytes: 0 }
  const memoryBytes = Math.floor(leastMemory({ bytes }))
  return { name, source: plainSource(reference), bytes, memoryBytes, ...(license !== undefined && { license }) }
}

function tooLarge(name: string, candidates: ModelDescription['candidates']): RequestProblem {
  const missing = Math.min(...candidates.map(({ fit }) => (fit.fits ? 0 : fit.missingBytes)))
  return new RequestProblem(
    'no-room',
    `${name} doesn't fit into its memory: it needs ${formatMemory(missing)} more`,
    'choose a smaller model, or another device',
  )
}
