// A local server as an engine, with the settings of the owner.

import { present } from '@hearth/command-line/present'
import type { Clock } from '../../clock.ts'
import type { ChangingEngine } from '../../engines/engine.ts'
import { createOpenAiServerEngine, type OpenAiServerOptions } from '../../engines/openai-server/openai-server-engine.ts'
import { USUAL_PLACES } from '../../engines/openai-server/server/look-around.ts'
import type { ProbeMemory } from '../../engines/openai-server/probe/probe-memory.ts'
import type { Say } from '../../news.ts'
import type { Settings } from '../../settings/settings.ts'
import { tellModels } from './tell-models.ts'

export interface ServerWorld {
  clock: Clock
  say: Say
  /** Probe results for local servers. */
  memory: ProbeMemory
}

export function createLocalServer(
  url: string,
  settings: Settings,
  { clock, say, memory }: ServerWorld,
): ChangingEngine {
  const onProblem = (text: string): void => say(`${url}: ${text}`)
  const options = { ...upstreamOptions(url, settings), isPatient: true, clock, memory, onProblem }
  const server = createOpenAiServerEngine(options)
  tellModels(url, server, say)
  return server
}

export function upstreamOptions(url: string, settings: Settings): OpenAiServerOptions {
  const { upstream, upstreamKey, upstreamModels, slots, context } = settings
  // Anything may listen on the usual ports: a key is only for servers that the owner chose.
  const key = upstream === USUAL_PLACES ? undefined : upstreamKey
  return present({ url, key, models: upstreamModels, slots, contextLength: context })
}
