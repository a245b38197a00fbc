// Picks one of a model's quantizations: the one asked for, or the one with the best balance of size and quality that fits the machine.

import { CommandError } from '@hearth/command-line/errors'
import { formatBytes, formatMemory } from '@hearth/command-line/format'
import { groupName, type FileGroup } from './file-groups.ts'

export type SizeFit = { fits: true } | { fits: false; missingBytes: number }
export type JudgeFit = (weights: { bytes: number }) => SizeFit

/** Best balance of size and quality first. */
const PREFERRED = [
  'Q4_K_M',
  'UD-Q4_K_M',
  'UD-Q4_K_XL',
  'Q4_K_L',
  'Q4_K_S',
  'Q5_K_M',
  'Q4_1',
  'Q4_0',
  'IQ4_NL',
  'IQ4_XS',
  'Q5_K_S',
  'Q6_K',
  'Q8_0',
  'MXFP4',
  'MXFP4_MOE',
] as const
/** Answers get noticeably worse below 4 bits, so these are only for machines where nothing better fits. */
const SMALLER = [
  'Q3_K_L',
  'UD-Q3_K_XL',
  'Q3_K_M',
  'IQ3_M',
  'Q3_K_S',
  'IQ3_XS',
  'IQ3_XXS',
  'UD-Q2_K_XL',
  'Q2_K_L',
  'Q2_K',
] as const

/** Undefined if there is none. A plain name also finds the publisher's own variant of it: Q4_K_XL means UD-Q4_K_XL. */
export function findQuant(groups: readonly FileGroup[], quant: string): FileGroup | undefined {
  const wanted = quant.toUpperCase()
  return (
    groups.find((group) => group.quant === wanted) ??
    groups.find((group) => group.quant === `UD-${wanted}`) ??
    groups.find((group) => group.name.toUpperCase().split(/[-./]/).includes(wanted))
  )
}

export function findPath(groups: readonly FileGroup[], path: string): FileGroup | undefined {
  return groups.find(({ name }) => name === groupName(path))
}

/** Throws CommandError if none of them fits. `groups` has at least one. */
export function chooseGroup(groups: readonly FileGroup[], judge: JudgeFit, model: string): FileGroup {
  const known = [...PREFERRED, ...SMALLER].flatMap((quant) => groups.find((group) => group.quant === quant) ?? [])
  const smallest = groups.toSorted((a, b) => a.bytes - b.bytes)
  const chosen = [...known, ...smallest].find((group) => judge(group).fits)
  if (chosen !== undefined) return chosen
  throw tooLarge(
    known.at(-1) ?? groups.reduce((least, group) => (group.bytes < least.bytes ? group : least)),
    judge,
    model,
  )
}

function tooLarge(group: FileGroup, judge: JudgeFit, model: string): CommandError {
  const fit = judge(group)
  const missing = formatMemory(fit.fits ? 0 : fit.missingBytes)
  const version = group.quant === undefined ? '' : ` as ${group.quant}`
  return new CommandError(
    `${model} doesn't fit on this machine:${version} it has ${formatBytes(group.bytes)} and needs ${missing} more memory than there is`,
    'choose a smaller model; to download it anyway, name a quantization, such as qwen3:32b-q4_k_m or hf:owner/name:Q4_K_M',
  )
}
