// Lists the models of this machine, for people or as JSON.

import { existsSync } from 'node:fs'
import { formatBytes, formatCount, formatSeconds } from '@hearth/command-line/format'
import { readGgufHeader } from '../../models/gguf/gguf-header.ts'
import { loadRegistry, type ModelEntry } from '../../models/registry/registry.ts'
import { formatKeepAlive } from '../../models/registry/keep-alive.ts'
import type { StateFolder } from '../../state/folder.ts'
import { readLastUses } from '../../state/last-uses.ts'
import { readStatus, type ModelStatus } from '../../state/status-file.ts'
import { formatTable } from '@hearth/command-line/terminal/table'
import type { Context } from '../context.ts'

const COLUMNS = ['NAME', 'SIZE', 'QUANT', 'DIGEST', 'CONTEXT', 'STATE', 'LAST USED', 'KEEP-ALIVE', 'SOURCE']
const DIGEST_LETTERS = 12

export function listModels({ isJson }: { isJson: boolean }, { state, settings, world, screen }: Context): void {
  const entries = loadRegistry(state.registry)
  if (isJson) return void world.stdout.write(`${JSON.stringify(withLastUses(entries, state))}\n`)
  if (entries.length === 0) {
    screen.line('info', 'No models yet')
    return screen.line('info', 'Next: hearth-device models pull starter')
  }
  const now = new Date()
  const running = readStatus(state.status, now)?.models ?? []
  const lastUses = readLastUses(state.lastUses)
  const rows = entries.map((entry) => {
    const status = running.find(({ name }) => name === entry.name)
    const keepAlive = entry.keepAlive ?? status?.keepAlive ?? formatKeepAlive(settings.keepAlive)
    return row(entry, status, [formatAge(lastUses.get(entry.name), now), keepAlive])
  })
  world.stdout.write(formatTable([COLUMNS, ...rows]))
}

function withLastUses(entries: readonly ModelEntry[], state: StateFolder): unknown[] {
  const lastUses = readLastUses(state.lastUses)
  return entries.map((entry) => ({ ...entry, lastUsedAt: lastUses.get(entry.name)?.toISOString() ?? null }))
}

function row(entry: ModelEntry, running: ModelStatus | undefined, use: readonly string[]): string[] {
  const { name, bytes, quant = '–', sha256 = '–', source } = entry
  const { context, state } = inspect(entry)
  const digest = sha256.slice(0, DIGEST_LETTERS)
  return [name, formatBytes(bytes), quant, digest, context, running?.state ?? state, ...use, source]
}

function formatAge(date: Date | undefined, now: Date): string {
  if (date === undefined) return 'never'
  return `${formatSeconds((now.getTime() - date.getTime()) / 1000)} ago`
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
