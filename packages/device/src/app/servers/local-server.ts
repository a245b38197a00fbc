// A local server as an engine, with the settings of the owner.

import { present } from '@hearth/command-line/present'
import type { Clock } from '../../clock.ts'
import type { ChangingEngine } from '../../engines/engine.ts'
import { createOpenAiServerEngine, type OpenAiServerOptions } from '../../engines/openai-server/openai-server-engine.ts'
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
  const { upstreamKey, upstreamModels, slots, context } = settings
  return present({ url, key: upstreamKey, models: upstreamModels, slots, contextLength: context })
}
