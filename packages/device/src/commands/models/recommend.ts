// The best model for this machine, before anything is downloaded: for its owner, and for `npm start`, which offers it.

import { factsOf, MODEL_LIST, reasonFor, recommend, type MachineFacts } from '@hearth/model-list'
import { describeSelf } from '../../app/describe-self.ts'
import { formatBytes } from '@hearth/command-line/format'
import { freeBytesOf } from '@hearth/command-line/machine/folders'
import { loadRegistry } from '../../models/registry/registry.ts'
import { runCommand } from '../../system/run-command.ts'
import type { Context } from '../context.ts'
import { bad, good, info, warn, type Line } from '../../terminal/line.ts'

export interface RecommendedModel {
  /** The name to pull it by. */
  name: string
  title: string
  /** The download. */
  bytes: number
  /** What to expect of it, as the console says it. */
  reason: string
  isHere: boolean
}

export interface Recommendations {
  recommended?: RecommendedModel
  /** Absent if none is clearly faster. */
  fast?: RecommendedModel
  /** Whether the hub that has them answers now. */
  isHubReachable: boolean
}

const ASK_MS = 3_000

/** Returns the exit code: 1 if every model is too large or too slow for this machine. */
export async function showRecommendations({ isJson }: { isJson: boolean }, context: Context): Promise<number> {
  const found = await findRecommendations(context)
  if (isJson) context.world.stdout.write(`${JSON.stringify(found)}\n`)
  else for (const { level, text } of describeAll(found, context.settings.hub)) context.screen.line(level, text)
  return found.recommended === undefined ? 1 : 0
}

function describeAll({ recommended, fast, isHubReachable }: Recommendations, hub: URL): Line[] {
  if (recommended === undefined) return [bad('Every model of the list is too large or too slow for this machine')]
  const lines: Line[] = [good(`The best model for this machine: ${describeRecommended(recommended)}`)]
  if (fast) lines.push(info(`A faster one: ${describeRecommended(fast)}`))
  if (!recommended.isHere) lines.push(info(`→ hearth-device models pull ${recommended.name}`))
  if (!isHubReachable) lines.push(warn(`Can't reach ${hub.host} now → check your network`))
  return lines
}

async function findRecommendations({ state, settings, world }: Context): Promise<Recommendations> {
  const [about, isHubReachable] = await Promise.all([
    describeSelf(runCommand, world.environment),
    canReach(settings.hub),
  ])
  const machine = { ...about, diskFreeBytes: freeBytesOf(state.models) }
  const here = new Set(loadRegistry(state.registry).flatMap(({ name, source }) => [name, source]))
  return { ...recommendFor(machine, here), isHubReachable }
}

export function recommendFor(
  machine: MachineFacts,
  here: ReadonlySet<string>,
): Omit<Recommendations, 'isHubReachable'> {
  const models = MODEL_LIST.map((model) => ({ ...factsOf(model), title: model.title }))
  const { recommended, fast } = recommend(machine, models)
  const tell = (model: (typeof models)[number]): RecommendedModel => {
    const { name, title, bytes } = model
    return { name, title, bytes, reason: reasonFor(machine, model), isHere: here.has(name) }
  }
  return { ...(recommended && { recommended: tell(recommended) }), ...(fast && { fast: tell(fast) }) }
}

export function describeRecommended({ title, name, bytes, reason, isHere }: RecommendedModel): string {
  const size = isHere ? 'on this machine already' : `${formatBytes(bytes)} download`
  return `${title} (${name}), ${size}. ${reason}`
}

async function canReach(hub: URL): Promise<boolean> {
  try {
    await fetch(hub, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(ASK_MS) })
    return true
  } catch {
    // Why doesn't matter here: a download says it.
    return false
  }
}
