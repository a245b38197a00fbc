// Updates the app to the version that the gateway hands out, if the gateway is not the only one who says so. The old version stays until the new one has started.

import { existsSync } from 'node:fs'
import { CommandError } from '@hearth/command-line/errors'
import { versionName, type AppNotice } from '@hearth/command-line/install/app-notice'
import { fetchNotice, type Get } from '@hearth/command-line/install/fetch-app'
import { httpGet } from '@hearth/command-line/install/http-get'
import { installVersion } from '@hearth/command-line/install/install-version'
import { judgeCode } from '@hearth/command-line/install/judge-code'
import { DEVICE_APP } from '@hearth/command-line/install/program'
import { findInstalled, type Installed } from '../install/installed.ts'
import { readGatewayAddress } from '@hearth/command-line/gateway/gateway-address'
import { loadCredential } from '../state/credential.ts'
import { checkPinned, fetchSeal, findPinned, rootsOf } from '../state/pinned-seal.ts'
import { readStatus } from '../state/status-file.ts'
import { runCommand } from '../system/run-command.ts'
import type { Context } from './context.ts'
import { describeService } from './service.ts'

const RESTART_MS = 5 * 60_000

/** Returns 3 for --check when there is a different version. */
export async function update(
  { isCheck, isYes }: { isCheck: boolean; isYes: boolean },
  context: Context,
): Promise<number> {
  const { state, settings, screen, world } = context
  const installed = findInstalled(state.path) ?? rejectCheckout()
  const credential = loadCredential(state.credential)
  const gateway = readGatewayAddress(credential.gateway, settings)
  const get: Get = (url, limits) => httpGet(url, { environment: world.environment, ...limits })
  const notice = await fetchNotice(DEVICE_APP, gateway, get)
  if (versionName(notice) === installed.folder.current()) {
    screen.line('good', `Up to date: ${label(notice)}`)
    return 0
  }
  if (isCheck) {
    screen.line('info', `Update available: ${label(notice)} → hearth-device update`)
    return 3
  }
  const seal = findPinned(state.pinnedSeal)
  const roots =
    seal === undefined ? {} : rootsOf(seal, checkPinned(await fetchSeal(credential, get), seal, state.pinnedSeal))
  const { stdin, stdout } = world
  await judgeCode(notice, installed.folder, roots, { screen, isYes, ...(stdin && { stdin }), stdout })
  await installVersion(gateway, notice, installed.folder, { environment: world.environment, get, screen })
  await changeOver(installed, notice, context)
  return 0
}

async function changeOver({ folder, name }: Installed, notice: AppNotice, context: Context): Promise<void> {
  const { state, screen } = context
  const next = versionName(notice)
  folder.choose(next)
  folder.removeOthers([next, name])
  screen.line('good', `Updated to ${label(notice)}`)
  if (readStatus(state.status, new Date()) === undefined) return
  const isRestarted = await restartService(context)
  screen.line('info', isRestarted ? 'Restarted the service' : 'Restart the running app to use the new version')
}

/** Returns false if the app doesn't run as a service. */
async function restartService(context: Context): Promise<boolean> {
  const service = describeService(context)
  if (service === undefined || !existsSync(service.path)) return false
  for (const [command = '', ...args] of service.restart)
    if ((await runCommand(command, args, { timeoutMs: RESTART_MS })).code !== 0) return false
  return true
}

function label({ version, sha256 }: AppNotice): string {
  return `${version} (${sha256.slice(0, 12)})`
}

function rejectCheckout(): never {
  throw new CommandError(
    "This app was not installed from a gateway, so it can't update itself",
    'in a checkout of the repository, run git pull, then npm ci',
  )
}
