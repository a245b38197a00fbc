// `hearth start`, and `npm start`: runs Hearth on this machine as it runs anywhere else, in processes: the gateway with its console, and a
// device.

import { offerModel } from '../offer/offer-model.ts'
import { offerServers } from '../offer/offer-servers.ts'
import { openOffers } from '../offer/open-offer.ts'
import { launch, type Launched } from '../start/launch.ts'
import { readOptions, UsageError, type Options, type StartFlags } from '../start/options.ts'
import { noteRestart, releaseData } from '../start/claim-data.ts'
import { Parts } from '../supervise/parts.ts'
import { REPLACE_SIGNAL, RESTART_SIGNAL } from '../supervise/restart-signal.ts'
import { describeError } from '@hearth/command-line/errors'
import { listenForStop } from '@hearth/command-line/processes/stop-signals'
import { LogFile } from '@hearth/device'
import { commandToPrint } from '../installed/command-to-print.ts'
import { renderPanel } from '../terminal/panel.ts'
import { Screen } from '../terminal/screen.ts'
import { sayTo } from './say.ts'

const screen = new Screen(process.stdout)
const parts = new Parts()
const log = new LogFile()
const stopping = new AbortController()
let offering: Promise<void> | undefined
let isStopping = false
let isReplacing = false

/** Returns when everything runs. Ends the process if that fails, or when it is told to. */
export async function start(flags: StartFlags): Promise<void> {
  listenForStop({ onStop: () => void stop(0) })
  if (REPLACE_SIGNAL !== undefined) process.on(REPLACE_SIGNAL, () => void replace())
  if (RESTART_SIGNAL !== undefined) process.on(RESTART_SIGNAL, () => void restart())
  // A terminal that was closed takes no more text, and that must not keep us from stopping the parts.
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error').on('error', () => undefined)
  process.on('exit', () => {
    parts.kill()
    log.flush()
  })
  try {
    await run(flags)
  } catch (error) {
    if (isStopping) return
    sayTo(process.stderr)(`\n${error instanceof Error ? error.message : String(error)}\n`)
    await stop(error instanceof UsageError ? 2 : 1)
  }
}

async function run(flags: StartFlags): Promise<void> {
  const options = readOptions(flags, process.env)
  screen.print('\n  Starting Hearth')
  const launched = await launch(options, { parts, screen, log })
  screen.print(renderPanel(launched))
  launched.onShown()
  if (options.withDevice) offering = offer(options, launched)
}

/** In the background: Hearth runs on, however it goes. */
async function offer(options: Options, launched: Launched): Promise<void> {
  const { model, servers } = openOffers(options, launched, { screen, log })
  const offers = [offerServers(servers, stopping.signal)]
  if (!options.isModelChosen) offers.push(offerModel(model, stopping.signal))
  for (const offered of await Promise.allSettled(offers))
    if (offered.status === 'rejected') log.add('hearth', `Cannot offer a model: ${describeError(offered.reason)}`)
}

async function stop(code: number): Promise<void> {
  if (isStopping) return process.exit(1)
  const hasRun = !parts.isEmpty
  await stopParts('Stopping…')
  if (hasRun && code === 0) screen.step(`Stopped. Everything is kept; ${commandToPrint(process.env)} start continues`)
  process.exit(code)
}

/** New processes take over one after the other. */
async function replace(): Promise<void> {
  if (isStopping || isReplacing) return
  isReplacing = true
  screen.step('Restarting: new processes take over, and the old ones finish their requests')
  const problem = await parts.replace().then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  screen.step(problem === undefined ? 'Restarted' : `Not restarted: ${problem}`)
  isReplacing = false
  if (!isStopping) noteRestart(problem)
}

/** The new program takes the place of this one: the same process, terminal, options and variables, and all code read anew. */
async function restart(): Promise<void> {
  if (isStopping) return
  await stopParts('Restarting…')
  log.flush()
  releaseData()
  process.execve?.(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], process.env)
}

async function stopParts(title: string): Promise<void> {
  isStopping = true
  if (!parts.isEmpty) screen.step(`${title} Press Ctrl-C again to stop immediately`)
  stopping.abort()
  await offering
  await parts.stop()
}
