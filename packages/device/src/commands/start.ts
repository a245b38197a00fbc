// Runs the device until it is stopped. On the first signal it finishes running jobs; on the second it stops right away.

import { mkdirSync } from 'node:fs'
import {
  claimFolder,
  describeInstance,
  isRunning,
  listInstances,
  registerInstance,
  releaseFolder,
  type Environment,
  type Instance,
} from '@hearth/instances'
import { CommandError } from '@hearth/command-line/errors'
import { listenForStop } from '@hearth/command-line/processes/stop-signals'
import { openKeys } from '@hearth/command-line/terminal/key-presses'
import { App } from '../app/app.ts'
import { describeSelf } from '../app/describe-self.ts'
import { engineFor } from '../app/job-path/engine-for.ts'
import { systemClock } from '../clock.ts'
import { removeOldVersions } from '../install/installed.ts'
import { createDial } from '../link/dial.ts'
import type { DeviceNews } from '../news.ts'
import { startAwakeProcess } from '../owner/keep-awake.ts'
import { watchSleep } from '../owner/watch-sleep.ts'
import { loadCredential } from '../state/credential.ts'
import { LogFile } from '../state/log-file.ts'
import { runCommand, type RunCommand } from '../system/run-command.ts'
import { describeLive } from '../terminal/describe-status.ts'
import { plural } from '@hearth/command-line/format'
import { oneLine, type Screen } from '@hearth/command-line/terminal/screen'
import { createNewsPrinter } from '../terminal/show-news.ts'
import { APP_VERSION } from '../version.ts'
import type { Context } from './context.ts'
import { offerServers } from './offer-servers.ts'
import type { Meter } from '../energy/meter.ts'
import { createNvidiaMeter } from '../energy/nvidia.ts'
import { createProcessorMeter } from '../energy/rapl.ts'

const LIVE_MS = 500

export async function start(plain: Context): Promise<void> {
  const { name, gateway } = loadCredential(plain.state.credential)
  const folder = plain.state.path
  const instance = describeInstance({ kind: 'device', folder, deviceHome: folder, url: new URL(gateway).origin })
  using _claim = claim(instance)
  const context = { ...plain, screen: withLog(plain.screen, plain.state.log) }
  const { state, settings, screen, isTerminal, world } = context
  removeOldVersions(state.path)
  register(instance, world.environment)
  screen.line('info', `Hearth device ${APP_VERSION}: "${name}", gateway ${gateway}`)
  const leaving = new AbortController()
  const app = new App({
    about: await describeSelf(runCommand, world.environment),
    state,
    settings,
    onNews: listenToNews(context, leaving.signal),
    world: {
      clock: systemClock,
      dial: createDial(world.environment),
      random: Math.random,
      run: runCommand,
      downloads: {},
      machine: { platform: process.platform, arch: process.arch },
      environment: world.environment,
      createEngine: (entry, backend, others) => engineFor(entry, settings, backend, { others, sizesFile: state.sizes }),
      meters: thisMachinesMeters(process.platform, runCommand),
      startAwakeProcess,
      watchSleep: watchSleep(process.platform, { clock: systemClock, run: runCommand }),
    },
  })
  const stopLive = isTerminal ? systemClock.every(LIVE_MS, () => screen.live(describeLive(app.status()))) : () => {}
  await untilTold(app, context, () => {
    leaving.abort()
    stopLive()
    screen.live(undefined)
  })
  screen.line('info', 'Stopped')
}

/** What a person at the terminal can answer is a question, and a line everywhere else. */
function listenToNews(context: Context, signal: AbortSignal): (news: DeviceNews) => void {
  const { screen, isTerminal } = context
  const print = createNewsPrinter(screen, isTerminal, systemClock.now)
  const keys = openKeys()
  return (news) => {
    if (news.type === 'servers-found' && keys) void offerServers(news.servers, keys, context, signal)
    else print(news)
  }
}

/** Keeps every line for `logs`. */
function withLog(screen: Screen, path: string): Screen {
  const log = new LogFile()
  log.open(path)
  process.once('exit', () => log.flush())
  return {
    line(level, text) {
      log.add(level, oneLine(text))
      screen.line(level, text)
    },
    live: (text) => screen.live(text),
  }
}

/** One running app per state folder: two would keep disconnecting each other. */
function claim(instance: Instance): Disposable {
  mkdirSync(instance.folder, { recursive: true, mode: 0o700 })
  const holder = claimFolder(instance)
  if (holder !== undefined)
    throw new CommandError(
      `The device app is already running here, as process ${holder.pid}`,
      'to see what it is doing: hearth-device status',
    )
  return { [Symbol.dispose]: () => releaseFolder(instance) }
}

/** So that other commands find this device. `npm start` has already registered its own. */
function register(instance: Instance, environment: Environment): void {
  const isKnown = listInstances(environment).some((one) => one.deviceHome === instance.folder && isRunning(one))
  if (isKnown) return
  try {
    registerInstance(instance, environment)
  } catch {
    // Without it, commands need --home. A service may have a home folder that it can't write to, and serves nevertheless.
  }
}

async function untilTold(app: App, { screen }: Context, onTold: () => void): Promise<void> {
  const stopped = Promise.withResolvers<void>()
  const stopListening = listenForStop({
    onStop() {
      onTold()
      const { running } = app.device.jobs
      const waiting = `Finishing ${plural(running, 'job')}. Press Ctrl-C again to stop now.`
      screen.line('info', running === 0 ? 'Stopping…' : waiting)
      void app.leave().then(stopped.resolve)
    },
    onStopNow() {
      screen.line('warn', 'Stopping now')
      void app.stop().then(stopped.resolve)
    },
  })
  await stopped.promise
  stopListening()
}

/** Everything that may measure power here. A Mac lets only root do it. */
function thisMachinesMeters(platform: NodeJS.Platform, run: RunCommand): Meter[] {
  if (platform === 'linux') return [createProcessorMeter(), createNvidiaMeter(run)]
  return platform === 'win32' ? [createNvidiaMeter(run)] : []
}
