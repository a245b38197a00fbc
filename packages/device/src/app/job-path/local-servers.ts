// The local servers that the owner configured, each as an engine.

import { present } from '@hearth/command-line/present'
import type { Clock } from '../../clock.ts'
import type { ChangingEngine } from '../../engines/engine.ts'
import { createOpenAiServerEngine, type OpenAiServerOptions } from '../../engines/openai-server/openai-server-engine.ts'
import type { ProbeMemory } from '../../engines/openai-server/probe/probe-memory.ts'
import type { Say } from '../../news.ts'
import type { Settings } from '../../settings/settings.ts'
import { describeFeatures } from '../../terminal/describe-features.ts'
import { formatCount, plural } from '@hearth/command-line/format'

export interface ServersWorld {
  clock: Clock
  say: Say
  /** Probe results for local servers. */
  memory: ProbeMemory
}

export function createLocalServers(settings: Settings, { clock, say, memory }: ServersWorld): ChangingEngine[] {
  return settings.upstream.map((url) => {
    const onProblem = (text: string): void => say(`${url}: ${text}`)
    const options = { ...upstreamOptions(url, settings), isPatient: true, clock, memory, onProblem }
    const server = createOpenAiServerEngine(options)
    tellModels(url, server, say)
    return server
  })
}

export function upstreamOptions(url: string, settings: Settings): OpenAiServerOptions {
  const { upstreamKey, upstreamModels, slots, context } = settings
  return present({ url, key: upstreamKey, models: upstreamModels, slots, contextLength: context })
}

// Tells the owner when models of a local server appear, change or disappear.
export function tellModels(server: string, engine: ChangingEngine, say: Say): void {
  let told = new Map<string, string>()
  engine.onChange(() => {
    const now = new Map(
      engine.models().map(({ name, slots, contextLength, features }) => {
        const able = describeFeatures(features)
        return [name, `${plural(slots, 'slot')} of ${formatCount(contextLength)} tokens (${able})`]
      }),
    )
    for (const [name, text] of now) if (told.get(name) !== text) say(`${name}: ready on ${server}, ${text}`, 'good')
    for (const name of told.keys()) if (!now.has(name)) say(`${name}: no longer available on ${server}`)
    told = now
  })
}
