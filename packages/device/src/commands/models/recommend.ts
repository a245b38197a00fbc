// The best model for this machine, before anything is downloaded: for its owner, and for `npm start`, which offers it.

import { factsOf, MODEL_LIST, reasonFor, recommend } from '@hearth/model-list'
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
  const lines: Line[] = [good(`The best model for this machine: ${describe(recommended)}`)]
  if (fast) lines.push(info(`A faster one: ${describe(fast)}`))
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
  const choice = recommend(machine, MODEL_LIST.map(factsOf))
  const tell = (facts: { name: string } | undefined): RecommendedModel | undefined => {
    const model = MODEL_LIST.find(({ name }) => name === facts?.name)
    if (model === undefined) return undefined
    const { name, title } = model
    const own = factsOf(model)
    return { name, title, bytes: own.bytes, reason: reasonFor(machine, own), isHere: here.has(name) }
  }
  const [recommended, fast] = [tell(choice.recommended), tell(choice.fast)]
  return { ...(recommended && { recommended }), ...(fast && { fast }), isHubReachable }
}

function describe({ title, name, bytes, reason, isHere }: RecommendedModel): string {
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
