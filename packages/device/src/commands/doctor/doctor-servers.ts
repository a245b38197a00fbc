// The `doctor` checks for local servers and web search: which ones are there, and which features they proved to have.

import { toFound } from '../../app/servers/found-server.ts'
import { upstreamOptions } from '../../app/servers/local-server.ts'
import { searchOptions } from '../../app/job-path/search-options.ts'
import { lookAround } from '../../engines/openai-server/server/look-around.ts'
import { createOpenAiServerEngine } from '../../engines/openai-server/openai-server-engine.ts'
import { formatProbeTable } from '../../engines/openai-server/probe-table.ts'
import { describeError } from '@hearth/command-line/errors'
import { plural } from '@hearth/command-line/format'
import { createProvider } from '../../web-search/providers.ts'
import type { FoundServer } from '../../news.ts'
import { addressesToServe } from '../../settings/added-servers.ts'
import { commandToServe, describeSeen } from '../../terminal/describe-servers.ts'
import type { Context } from '../context.ts'
import { bad, good, info, warn, type Line } from '../../terminal/line.ts'

/** Loading and probing every model of a server can take minutes. */
const PROBE_MS = 600_000
const SEARCH_MS = 10_000

export async function checkServers({ state, settings }: Context): Promise<Line[]> {
  const signal = AbortSignal.timeout(PROBE_MS)
  const served = addressesToServe(settings, state.servers)
  const checked = Promise.all(served.map((url) => checkServer(url, { settings }, signal)))
  const places = settings.upstream === undefined ? settings.findServers : []
  const found = await lookAround(
    places.filter((url) => !served.includes(url)),
    signal,
  )
  return [...(await checked).flat(), ...found.map((server) => describeOpen(toFound(server, false)))]
}

function describeOpen(server: FoundServer): Line {
  return info(`Server: ${describeSeen(server)} → to serve them too: ${commandToServe([server])}`)
}

async function checkServer(url: string, { settings }: Pick<Context, 'settings'>, signal: AbortSignal): Promise<Line[]> {
  const problems: string[] = []
  const engine = createOpenAiServerEngine({
    ...upstreamOptions(url, settings),
    onProblem: (text) => problems.push(text),
  })
  try {
    await engine.start(signal)
    await engine.probed(signal)
    const table = formatProbeTable(engine.probeTable())
      .split('\n')
      .filter((line) => line !== '')
    return [good(`Server: ${url} is up`), ...table.map(info), ...problems.map(warn)]
  } catch (error) {
    return [bad(`Server: ${describeError(error)}`), ...problems.map(warn)]
  } finally {
    await engine.stop()
  }
}

export async function checkSearch({ settings }: Pick<Context, 'settings'>): Promise<Line[]> {
  const options = searchOptions(settings)
  if (options === undefined) return []
  const provider = createProvider(options.provider)
  try {
    const results = await provider.search({ text: 'weather', count: 3 }, AbortSignal.timeout(SEARCH_MS))
    return [
      {
        level: results.length > 0 ? 'good' : 'warn',
        text: `Web search: ${provider.name} returned ${plural(results.length, 'result')}`,
      },
    ]
  } catch (error) {
    return [bad(`Web search: ${describeError(error)}`)]
  }
}
