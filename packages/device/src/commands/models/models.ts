// Adds, lists, verifies and removes the models of this machine. A running app picks up the changes.

import { present } from '@hearth/command-line/present'
import { openLadder } from '../../app/back-end/open-ladder.ts'
import { openModelStore } from '../../app/library/open-model-store.ts'
import { systemClock } from '../../clock.ts'
import { CommandError, describeError } from '@hearth/command-line/errors'
import { formatBytes } from '@hearth/command-line/format'
import { loadRegistry, saveRegistry, type ModelEntry } from '../../models/registry/registry.ts'
import { formatKeepAlive, parseKeepAlive } from '../../models/registry/keep-alive.ts'
import type { ModelSettings, ModelStore } from '../../models/model-store.ts'
import { findEntry } from '../../models/registry/register-model.ts'
import { kebab } from '../../settings/settings.ts'
import { runCommand } from '../../system/run-command.ts'
import { createJsonPullPrinter, type PullPrinter } from '../../terminal/json-pull.ts'
import { createPullPrinter } from '../../terminal/show-news.ts'
import type { Context } from '../context.ts'
import { existsSync, statSync } from 'node:fs'
import { sha256OfFile } from '../../models/download/partial-file.ts'
import { allParts } from '../../models/hub/file-groups.ts'

export async function pull(
  source: string,
  { as, isJson }: { as: string | undefined; isJson: boolean },
  context: Context,
  signal: AbortSignal,
): Promise<void> {
  const printer = isJson ? createJsonPullPrinter(context.world.stdout, now) : createTextPullPrinter(context)
  const settings = ownSettings(context)
  try {
    const store = openStore(context, signal)
    printer.ready(await store.pull(source, present({ onNews: printer.news, signal, settings, as })))
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    context.screen.live(undefined)
  }
}

function createTextPullPrinter({ screen, isTerminal }: Context): PullPrinter {
  return {
    news: createPullPrinter(screen, isTerminal, now),
    ready({ name, quant, bytes }) {
      screen.live(undefined)
      const facts = [...(quant === undefined ? [] : [quant]), formatBytes(bytes)].join(', ')
      screen.line('good', `${name} is ready (${facts}). Enable it under this name in the console.`)
    },
  }
}

function now(): number {
  return performance.now()
}

export function remove(name: string, context: Context): void {
  const { screen } = context
  const { entry, freedBytes } = openStore(context, new AbortController().signal).remove(name)
  screen.line(
    'good',
    freedBytes > 0
      ? `Removed ${entry.name} and deleted its file, which frees ${formatBytes(freedBytes)}`
      : `Removed ${entry.name}; its file was kept`,
  )
}

/** Returns the exit code: 1 if a model has changed. */
export async function verify(name: string | undefined, context: Context, signal: AbortSignal): Promise<number> {
  const { screen } = context
  const entries = chosen(openStore(context, signal).list(), name)
  let code = 0
  for (const entry of entries) {
    screen.live(`  Verifying ${entry.name} (${formatBytes(entry.bytes)})…`)
    const result = await verifyModel(entry, signal)
    screen.live(undefined)
    if (result.isSound) screen.line('good', `${entry.name}: checksum OK`)
    else screen.line('bad', `${entry.name}: ${result.why} → hearth-device models pull ${entry.source}`)
    if (!result.isSound) code = 1
  }
  return code
}

function chosen(entries: readonly ModelEntry[], name: string | undefined): readonly ModelEntry[] {
  if (name === undefined) return entries
  const entry = findEntry(entries, name)
  if (entry === undefined) throw new CommandError(`There is no model "${name}" on this machine`)
  return [entry]
}

/** Installs nothing for the GPU: `start` does that. */
function openStore({ state, settings, world }: Context, signal: AbortSignal): ModelStore {
  const { environment } = world
  const machine = { platform: process.platform, arch: process.arch }
  const ladderWorld = { machine, run: runCommand, environment, say: () => {}, now: systemClock.now }
  const ladder = () =>
    openLadder(state.gpu, { ...settings, fetchGpu: false, gpuLibraries: 'never' }, ladderWorld, signal)
  return openModelStore({ state, settings, environment, run: runCommand, downloads: {}, ladder, signal })
}

/** Changes how long an idle model stays in memory; the running app applies it without loading the model again. */
export function keep(name: string, time: string, { state, screen }: Context): void {
  const entries = loadRegistry(state.registry)
  const [entry] = chosen(entries, name)
  const keepAlive = readTime(time)
  saveRegistry(
    state.registry,
    entries.map((other) => (other === entry ? { ...other, keepAlive } : other)),
  )
  screen.line('good', `${name}: keep-alive is now ${keepAlive}`)
}

function readTime(time: string): string {
  try {
    return formatKeepAlive(parseKeepAlive(time))
  } catch (error) {
    throw new CommandError(`Invalid time "${time}"`, describeError(error))
  }
}

/** Only the settings given for this model. Settings for all models are applied when it is loaded. */
function ownSettings({ settings, origins }: Context): ModelSettings {
  const own = (name: 'slots' | 'context' | 'gpuLayers'): number | undefined =>
    origins[name] === `--${kebab(name)}` ? settings[name] : undefined
  return present({
    keepAlive: origins.keepAlive === '--keep-alive' ? formatKeepAlive(settings.keepAlive) : undefined,
    slots: own('slots'),
    contextLength: own('context'),
    gpuLayers: own('gpuLayers'),
  })
}

// Reads a model's files again and compares their checksums with those from the day they were added.
type Verification =
  | { isSound: true }
  /** `why` says which file is wrong, and how. */
  | { isSound: false; why: string }

export async function verifyModel(entry: ModelEntry, signal: AbortSignal): Promise<Verification> {
  const { path, sha256, pieces = [] } = entry
  const expected = pieces.length > 0 ? pieces.map((piece) => piece.sha256) : [sha256]
  for (const [index, file] of allParts(path).entries()) {
    if (!existsSync(file) || !statSync(file).isFile()) return { isSound: false, why: `${file} is missing` }
    const digest = expected[index]
    if (digest === undefined) return { isSound: false, why: `no checksum was recorded for ${file}` }
    if ((await sha256OfFile(file, signal)) !== digest) return { isSound: false, why: `${file} has changed` }
  }
  return { isSound: true }
}
