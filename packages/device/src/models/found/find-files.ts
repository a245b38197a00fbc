// Looks where other programs on this machine keep GGUF files. Nothing is read but names, sizes and Ollama's manifests.

import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '@hearth/command-line/gateway/choose-proxy'
import { CommandError } from '@hearth/command-line/errors'
import { isName } from '../registry/model-name.ts'
import { findGgufFiles } from './gguf-files.ts'
import { findOllamaFiles } from './ollama-files.ts'
import type { FoundFile, Place, SearchLimits } from './found-file.ts'

/** For each folder. */
const LIMITS: SearchLimits = { entries: 20_000, files: 256 }
const MAX_FILES = 256

export interface FilePlace {
  place: Place
  folder: string
}

/** By name. A file that two programs have counts once, and so does a name. */
export async function findFiles(places: readonly FilePlace[]): Promise<FoundFile[]> {
  const found = (await Promise.all(places.map(findIn))).flat().filter(({ name }) => isName(name))
  const files = new Map<string, FoundFile>()
  const names = new Set<string>()
  for (const file of found) {
    const identity = await identityOf(file.path)
    if (identity === undefined || files.has(identity) || names.has(file.name)) continue
    files.set(identity, file)
    names.add(file.name)
  }
  return [...files.values()].slice(0, MAX_FILES).toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

export interface FoundWorld {
  /** What other programs keep on this machine. */
  foundFiles: () => Promise<FoundFile[]>
}

/** Throws CommandError if it is not there, or not any more. */
export async function requireFound(name: string, { foundFiles }: FoundWorld): Promise<FoundFile> {
  const file = (await foundFiles()).find((one) => one.name === name)
  if (file !== undefined) return file
  throw new CommandError(
    `No program on this machine keeps a model "${name}" any more`,
    'to see those that are here: hearth-device models list --found',
  )
}

function findIn({ place, folder }: FilePlace): Promise<FoundFile[]> {
  const limits = { ...LIMITS }
  return place === 'Ollama' ? findOllamaFiles(folder, limits) : findGgufFiles(folder, place, limits)
}

async function identityOf(path: string): Promise<string | undefined> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined)
  return stats && `${stats.dev}:${stats.ino}`
}

/** Where these programs keep their models, unless their own variables say otherwise. */
export function filePlaces(environment: Environment, platform = process.platform, home = homedir()): FilePlace[] {
  const given = (name: string): string | undefined => environment[name] || undefined
  const cache = given('XDG_CACHE_HOME') ?? join(home, '.cache')
  const ollama = given('OLLAMA_MODELS')
  // On Linux, Ollama usually runs as a service with a user of its own.
  const ofOllama = ollama ? [ollama] : [join(home, '.ollama/models'), '/usr/share/ollama/.ollama/models']
  const ofHuggingFace = given('HF_HUB_CACHE') ?? join(given('HF_HOME') ?? join(cache, 'huggingface'), 'hub')
  return [
    ...ofOllama.map((folder) => ({ place: 'Ollama' as const, folder })),
    { place: 'LM Studio', folder: join(home, '.lmstudio/models') },
    { place: 'LM Studio', folder: join(home, '.cache/lm-studio/models') },
    { place: 'llama.cpp', folder: given('LLAMA_CACHE') ?? llamaCache(platform, home, cache, given('LOCALAPPDATA')) },
    { place: 'Hugging Face', folder: ofHuggingFace },
  ]
}

function llamaCache(
  platform: NodeJS.Platform,
  home: string,
  cache: string,
  local = join(home, 'AppData/Local'),
): string {
  if (platform === 'darwin') return join(home, 'Library/Caches/llama.cpp')
  return join(platform === 'win32' ? local : cache, 'llama.cpp')
}
