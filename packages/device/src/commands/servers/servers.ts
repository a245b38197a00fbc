// Lists, adds and removes local servers. A running app picks up the changes.

import { CommandError } from '@hearth/command-line/errors'
import { formatTable } from '@hearth/command-line/terminal/table'
import { toFound } from '../../app/servers/found-server.ts'
import { readServerAddress } from '../../engines/openai-server/http/server-address.ts'
import { lookAround } from '../../engines/openai-server/server/look-around.ts'
import type { FoundServer } from '../../news.ts'
import { addServers, readAddedServers, removeServer } from '../../settings/added-servers.ts'
import { shortName } from '../../terminal/describe-servers.ts'
import type { Context } from '../context.ts'

const COLUMNS = ['SERVER', 'ADDRESS', 'MODELS', 'STATE']

export async function listServers({ isJson }: { isJson: boolean }, context: Context): Promise<void> {
  const { state, world, screen } = context
  const servers = await find(readAddedServers(state.servers), context)
  if (isJson) return void world.stdout.write(`${JSON.stringify(servers)}\n`)
  if (servers.length === 0) return screen.line('info', 'No local server runs on the usual ports, and none was added')
  const rows = servers.map(({ title, url, models, isServed }) => {
    const state = isServed ? (models.length > 0 ? 'added' : 'added, not running') : 'not added'
    return [title, url, String(models.length), state]
  })
  world.stdout.write(formatTable([COLUMNS, ...rows]))
}

export async function add(names: readonly string[], context: Context): Promise<void> {
  const { state, settings, origins, screen } = context
  const addresses: string[] = []
  for (const name of names) addresses.push(await addressOf(name, context))
  addServers(state.servers, addresses)
  const kept = readAddedServers(state.servers)
  const left = addresses.find((address) => !kept.includes(address))
  if (left !== undefined) throw new CommandError(`Can't add ${left}: there are as many servers as the app takes`)
  for (const address of addresses)
    screen.line('good', `The models of ${address} will be served as soon as they are tested`)
  screen.line('info', 'Enable their names in the console, as for any model')
  if (settings.upstream !== undefined)
    screen.line('warn', `${origins.upstream} replaces this list → remove it, and restart the app`)
}

export async function stopServing(name: string, context: Context): Promise<void> {
  const { state, screen } = context
  const added = readAddedServers(state.servers)
  // A server that has ended is known by its address alone.
  const address = added.find((one) => one === name) ?? (await addressOf(name, context))
  if (!removeServer(state.servers, address))
    throw new CommandError(
      `${address} was not added`,
      added.length === 0 ? 'no local server was' : `those that were: ${added.join(', ')}`,
    )
  screen.line('good', `The models of ${address} are no longer served`)
}

/** A product that runs on its usual port, or an address. Throws CommandError. */
async function addressOf(name: string, context: Context): Promise<string> {
  if (/[.:/]/.test(name) || name === 'localhost') return readServerAddress(name).root
  const found = await find([], context)
  const server = found.find((one) => shortName(one) === name.toLowerCase())
  if (server !== undefined) return server.url
  const names = found.map(shortName).join(', ')
  throw new CommandError(
    `There is no ${name} on the usual ports`,
    names === '' ? 'start it, or give its address' : `found: ${names}; or give its address`,
  )
}

/** Those that run, then those that were added and don't. */
async function find(added: readonly string[], { settings }: Context): Promise<FoundServer[]> {
  const places = [...new Set([...settings.findServers, ...added])]
  const seen = await lookAround(places, new AbortController().signal)
  const running = seen.map((server) => toFound(server, added.includes(server.url)))
  const away = added.filter((url) => !seen.some((server) => server.url === url))
  return [...running, ...away.map((url) => toFound({ url, product: 'other', models: [] }, true))]
}
