// The files of a repository as the models they make up: a large model is split into several files.

import { CommandError } from '@hearth/command-line/errors'

export interface HubFile {
  path: string
  bytes: number
  sha256?: string
}

/** One model in one quantization. */
export interface FileGroup {
  /** The path without the number of the part. */
  name: string
  /** As the path has it, in capital letters; absent if it says nothing. */
  quant?: string
  /** In order. */
  files: readonly HubFile[]
  bytes: number
}

const PART = /-(\d{5})-of-(\d{5})(?=\.gguf$)/i
/** Several times what the largest models have. */
const MAX_PARTS = 512
const QUANT = /(?:^|[-._/])((?:UD-)?(?:I?Q\d(?:_\w+)?|TQ\d_\d|MXFP4(?:_MOE)?|BF16|F16|F32))(?=[-./]|$)/gi
/** Projectors, importance matrices and draft models lie beside the models that they belong to. */
const NOT_A_MODEL = /mmproj|imatrix|(?:^|\/)mtp[-/]|(?:^|[-/])draft[-.]/i

export function groupFiles(files: readonly HubFile[]): FileGroup[] {
  const models = files.filter(({ path }) => /\.gguf$/i.test(path) && !NOT_A_MODEL.test(path))
  return [...Map.groupBy(models, ({ path }) => groupName(path))].filter(([, parts]) => isWhole(parts)).map(toGroup)
}

/** The same for all parts of a model. */
export function groupName(path: string): string {
  return path.replace(PART, '')
}

export function quantOf(path: string): string | undefined {
  return [...path.matchAll(QUANT)].at(-1)?.[1]?.toUpperCase()
}

/** All parts, from the address or name of any of them. Throws CommandError if it claims to have absurdly many. */
export function allParts(part: string): string[] {
  const [, , total = '1'] = PART.exec(part) ?? []
  if (Number(total) > MAX_PARTS)
    throw new CommandError(`Can't use a model of ${Number(total)} files`, `the most are ${MAX_PARTS}`)
  const number = (index: number): string => String(index + 1).padStart(5, '0')
  return Array.from({ length: Number(total) }, (_, index) => part.replace(PART, `-${number(index)}-of-${total}`))
}

function toGroup([name, parts]: [string, HubFile[]]): FileGroup {
  const quant = quantOf(name)
  const files = parts.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  return { name, files, bytes, ...(quant === undefined ? {} : { quant }) }
}

/** A repository may be in the middle of an upload. */
function isWhole(parts: readonly HubFile[]): boolean {
  const [first] = parts
  return first !== undefined && parts.length === Number(PART.exec(first.path)?.[2] ?? 1)
}
