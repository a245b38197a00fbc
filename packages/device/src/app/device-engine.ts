// Combines everything this machine serves into one engine: its own models, the models of local servers, and web search on top, as the owner
// configured it.

import type { Clock } from '../clock.ts'
import type { Engine } from '../engines/engine.ts'
import { joinEngines } from '../engines/join-engines.ts'
import { createOpenAiServerEngine, type OpenAiServerOptions } from '../engines/openai-server/openai-server-engine.ts'
import type { ProbeMemory } from '../engines/openai-server/probe-memory.ts'
import type { Settings } from '../settings/settings.ts'
import { tellModels } from './tell-models.ts'
import { createWebSearchEngine, type WebSearchOptions } from '../web-search/web-search-engine.ts'

export interface DeviceEngineWorld {
  clock: Clock
  /** Shows a line to the owner. */
  say: (text: string) => void
  /** Probe results for local servers. */
  memory: ProbeMemory
}

export function createDeviceEngine(own: Engine, settings: Settings, world: DeviceEngineWorld): Engine {
  const servers = settings.upstream.map((url) =>
    createOpenAiServerEngine({
      ...upstreamOptions(url, settings),
      isPatient: true,
      clock: world.clock,
      memory: world.memory,
      onProblem: (text) => world.say(`${url}: ${text}`),
    }),
  )
  for (const [index, server] of servers.entries()) tellModels(settings.upstream[index]!, server, world.say)
  const engine = servers.length === 0 ? own : joinEngines([own, ...servers])
  const search = searchOptions(settings)
  return search === undefined
    ? engine
    : createWebSearchEngine(engine, { ...search, clock: world.clock, onProblem: world.say })
}

export function upstreamOptions(url: string, settings: Settings): OpenAiServerOptions {
  const { upstreamKey, upstreamModels, slots, context } = settings
  return {
    url,
    ...(upstreamKey !== undefined && { key: upstreamKey }),
    ...(upstreamModels !== undefined && { models: upstreamModels }),
    ...(slots !== undefined && { slots }),
    ...(context !== undefined && { contextLength: context }),
  }
}

/** Undefined if web search is not configured. */
export function searchOptions({ search, searchUrl, searchKey, searchPages }: Settings): WebSearchOptions | undefined {
  if (search === 'off') return undefined
  return {
    provider: {
      name: search,
      ...(searchUrl !== undefined && { url: searchUrl.href }),
      ...(searchKey !== undefined && { key: searchKey }),
    },
    readsPages: searchPages,
  }
}
