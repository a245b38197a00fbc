// Lists, adds and removes the models of this machine. A running app picks up the changes by itself.

import { existsSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { DeviceError } from '../errors.ts'
import { readGgufHeader } from '../models/gguf-header.ts'
import { piecesOf } from '../models/pieces.ts'
import { hubToken } from '../models/hub.ts'
import { pullModel } from '../models/pull.ts'
import { loadRegistry, saveRegistry, withModel, type ModelEntry } from '../models/registry.ts'
import { parseSource } from '../models/source.ts'
import { kebab } from '../settings/settings.ts'
import { readStatus, type ModelStatus } from '../state/status-file.ts'
import { runCommand } from '../system/run-command.ts'
import { formatBytes, formatCount } from '../format.ts'
import { createPullPrinter } from '../terminal/show-news.ts'
import { formatTable } from '../terminal/table.ts'
import type { Context } from './context.ts'

export function listModels({ isJson }: { isJson: boolean }, { state, world, screen }: Context): void {
  const entries = loadRegistry(state.registry)
  if (isJson) return void world.stdout.write(`${JSON.stringify(entries)}\n`)
  if (entries.length === 0) {
    screen.line('info', 'No models yet')
    return screen.line('info', 'Next: hearth-device models pull starter')
  }
  const running = readStatus(state.status, new Date())?.models ?? []
  const rows = entries.map((entry) =>
    row(
      entry,
      running.find(({ name }) => name === entry.name),
    ),
  )
  world.stdout.write(formatTable([['NAME', 'SIZE', 'CONTEXT', 'STATE', 'SOURCE'], ...rows]))
}

function row(entry: ModelEntry, running: ModelStatus | undefined): string[] {
  const { name, bytes, source } = entry
  const { context, state } = inspect(entry)
  return [name, formatBytes(bytes), context, running?.state ?? state, source]
}

function inspect({ path }: ModelEntry): { context: string; state: string } {
  if (!existsSync(path)) return { context: '–', state: 'file missing' }
  try {
    const { contextLength } = readGgufHeader(path)
    return { context: contextLength === undefined ? '–' : formatCount(contextLength), state: 'ready' }
  } catch {
    return { context: '–', state: 'damaged' }
  }
}

export async function pull(
  source: string,
  as: string | undefined,
  context: Context,
  signal: AbortSignal,
): Promise<void> {
  const { state, settings, world, screen, isTerminal } = context
  const pullWorld = {
    folder: state.models,
    hub: { hub: settings.hub, fetch, token: hubToken(world.environment) },
    run: runCommand,
    onNews: createPullPrinter(screen, isTerminal, () => performance.now()),
  }
  try {
    const entry = await pullModel(parseSource(source), source, as, pullWorld, signal)
    saveRegistry(state.registry, withModel(loadRegistry(state.registry), { ...entry, ...ownSettings(context) }))
    screen.live(undefined)
    screen.line(
      'good',
      `${entry.name} is ready (${formatBytes(entry.bytes)}). Enable it under this name in the console.`,
    )
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    screen.live(undefined)
  }
}

export function remove(name: string, { state, screen }: Context): void {
  const entries = loadRegistry(state.registry)
  const entry = entries.find((candidate) => candidate.name === name)
  if (entry === undefined) {
    const names = entries.map((candidate) => candidate.name).join(', ')
    throw new DeviceError(
      `There is no model "${name}" on this machine`,
      names === '' ? 'it has no models yet' : `its models: ${names}`,
    )
  }
  const rest = entries.filter((candidate) => candidate !== entry)
  saveRegistry(state.registry, rest)
  const isOurs = !relative(state.models, entry.path).startsWith('..')
  const isUsed = rest.some(({ path }) => path === entry.path)
  if (isOurs && !isUsed) for (const piece of piecesOf(entry.path)) rmSync(piece, { force: true })
  screen.line(
    'good',
    isOurs && !isUsed
      ? `Removed ${name} and deleted its file (${formatBytes(entry.bytes)})`
      : `Removed ${name}; its file was kept`,
  )
}

/** Only the settings given for this model. Settings for all models are applied when it is loaded. */
function ownSettings({ settings, origins }: Context): Pick<ModelEntry, 'slots' | 'contextLength' | 'gpuLayers'> {
  const own = (name: 'slots' | 'context' | 'gpuLayers'): number | undefined =>
    origins[name] === `--${kebab(name)}` ? settings[name] : undefined
  const slots = own('slots')
  const contextLength = own('context')
  const gpuLayers = own('gpuLayers')
  return {
    ...(slots === undefined ? {} : { slots }),
    ...(contextLength === undefined ? {} : { contextLength }),
    ...(gpuLayers === undefined ? {} : { gpuLayers }),
  }
}
