// Back ends that were built on this machine for its card. Each lies in a folder of its own, named after everything that its machine code
// depends on: the engine's version, the cards and CUDA. The driver isn't part of that: a new driver makes the ladder prove it again.

import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isFields, text } from '@hearth/sealing/fields'
import { readJson } from '@hearth/command-line/files/write-atomic'
import { listFolder } from '../../system/list-folder.ts'

export interface BuildKey {
  /** The engine's version. */
  engine: string
  /** Compute capabilities of the cards, such as 9.0, each once and in order. */
  capabilities: readonly string[]
  /** The version of the CUDA toolkit, such as 13.0. */
  cuda: string
}

export interface BuiltBackend extends BuildKey {
  /** The folder of the toolkit it was built with, which has CUDA's run-time libraries. */
  toolkit: string
  folder: string
  library: string
  bytes: number
  builtAt: Date
}

export const BUILT_LIBRARY = 'libggml-cuda.so'
export const BUILD_RECORD = 'build.json'
/** Folders with this beginning are not finished. */
const DRAFT = '.draft-'

/** In the folder of the GPU packages. */
export function builtFolder(folder: string): string {
  return join(folder, 'built')
}

/** 3.22.1-sm90-cuda13.0 */
export function buildName({ engine, capabilities, cuda }: BuildKey): string {
  return `${engine}-sm${capabilities.map((capability) => capability.replace('.', '')).join('-')}-cuda${cuda}`
}

export function draftFolder(folder: string, process: number): string {
  return join(builtFolder(folder), `${DRAFT}${process}`)
}

/** The newest first. */
export function listBuilt(folder: string): BuiltBackend[] {
  const names = listFolder(builtFolder(folder)).filter((name) => !name.startsWith(DRAFT))
  const found = names.map((name) => readBuilt(join(builtFolder(folder), name))).filter((built) => built !== undefined)
  return found.toSorted((a, b) => b.builtAt.getTime() - a.builtAt.getTime())
}

/** The processes that were building here; those that no longer run left their drafts behind. */
export function listDrafts(folder: string): { path: string; process: number }[] {
  return listFolder(builtFolder(folder))
    .filter((name) => name.startsWith(DRAFT))
    .map((name) => ({ path: join(builtFolder(folder), name), process: Number(name.slice(DRAFT.length)) }))
}

export function removeBuilt(built: Pick<BuiltBackend, 'folder'>): void {
  rmSync(built.folder, { recursive: true, force: true })
}

function readBuilt(folder: string): BuiltBackend | undefined {
  try {
    const record = readJson(join(folder, BUILD_RECORD))
    const library = join(folder, 'lib', BUILT_LIBRARY)
    const { size, mtime } = statSync(library)
    if (!isFields(record)) return undefined
    const [engine, cuda, toolkit = ''] = ['engine', 'cuda', 'toolkit'].map((name) => text(record, name))
    const capabilities = record['capabilities']
    if (engine === undefined || cuda === undefined || !isListOfTexts(capabilities)) return undefined
    return { engine, cuda, capabilities, toolkit, folder, library, bytes: size, builtAt: mtime }
  } catch {
    // A folder that somebody emptied or edited counts as nothing built.
    return undefined
  }
}

function isListOfTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
}
