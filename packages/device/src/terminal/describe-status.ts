// Describes the status of the running app: one live line for `start`, several lines for `status`. Pure.

import { describeFeatures } from './describe-features.ts'
import { describeProblem, describeRung } from '../gpu/backend.ts'
import type { DeviceStatus, ModelStatus } from '../state/status-file.ts'
import { describeBlocked, describeDownload, describeLoading } from './describe-news.ts'
import { formatCount, formatSeconds, plural } from '@hearth/command-line/format'
import { commandToServe, describeSeen } from './describe-servers.ts'
import { bad, good, info, warn, type Line } from './line.ts'

export function describeLive(status: Omit<DeviceStatus, 'updatedAt'>): string {
  const parts = [linkWord(status)]
  if (!status.permission.allowed) parts.push('not serving')
  if (status.pulling !== undefined) parts.push(`${status.pulling.label}: ${describeDownload(status.pulling.progress)}`)
  const loading = status.models.filter(({ state }) => state === 'loading')
  if (loading.length > 0) parts.push(`loading ${loading.map(({ name }) => name).join(', ')}`)
  const serving = status.models.filter(({ state }) => state === 'serving')
  if (serving.length > 0) parts.push(`${plural(serving.length, 'model')} ready`, slotsWord(serving))
  parts.push(`${formatCount(status.jobs.answered)} answered`)
  return parts.join(' · ')
}

function linkWord({ link }: Pick<DeviceStatus, 'link'>): string {
  return link.name === 'linked' ? '● connected' : link.name === 'connecting' ? '○ connecting' : '○ not connected'
}

function slotsWord(models: readonly ModelStatus[]): string {
  const slots = models.reduce((sum, model) => sum + (model.slots ?? 0), 0)
  const busy = models.reduce((sum, model) => sum + model.busy, 0)
  return `${busy} of ${plural(slots, 'slot')} busy`
}

export function describeStatus(status: DeviceStatus, now: Date): Line[] {
  const runningSeconds = (now.getTime() - Date.parse(status.startedAt)) / 1000
  const { running, answered, failed, stopped, handedOver } = status.jobs
  return [
    good(
      `${status.name}: device app ${status.app}, running for ${formatSeconds(runningSeconds)} (process ${status.pid})`,
    ),
    linkLine(status, now),
    ...noticeLines(status),
    status.permission.allowed ? good('Serving is on') : warn(`Not serving: ${status.permission.why}`),
    ...remoteLines(status),
    ...(status.pulling === undefined
      ? []
      : [
          info(
            `Downloading ${status.pulling.label}: ${describeDownload(status.pulling.progress)}${askedBy(status.pulling)}`,
          ),
        ]),
    ...sealLines(status),
    ...backendLines(status),
    ...status.models.flatMap((model) => [modelLine(model), ...blockedLines(model, now)]),
    ...serverLines(status),
    info(
      `Jobs: ${formatCount(running)} running, ${formatCount(answered)} answered, ${formatCount(failed)} failed, ${formatCount(stopped)} stopped${handedOverWord(handedOver)}`,
    ),
  ]
}

function remoteLines({ remoteChanges }: DeviceStatus): Line[] {
  if (remoteChanges === undefined) return []
  const may = remoteChanges.allowed ? 'may' : "can't"
  const what = remoteChanges.allowed ? 'models and chat templates' : 'models or chat templates'
  return [info(`Administrators ${may} change ${what} here (see --remote-models)`)]
}

function serverLines({ servers = [] }: DeviceStatus): Line[] {
  const open = servers.filter(({ isServed }) => !isServed)
  return open.map((server) => info(`${describeSeen(server)} → to serve them too: ${commandToServe([server])}`))
}

function sealLines({ seal }: DeviceStatus): Line[] {
  if (seal === undefined) return []
  if ('problem' in seal) return [warn(`Takes no sealed requests: ${seal.problem}`)]
  const { words, hex } = seal.fingerprint
  return [info(`Takes sealed requests. Fingerprint: ${words} (${hex})`)]
}

function handedOverWord(count: number): string {
  return count > 0 ? `, ${formatCount(count)} handed to other devices` : ''
}

function askedBy({ by }: { by?: string }): string {
  return by === undefined ? '' : ` (${by} asked for it in the console)`
}

function noticeLines({ link }: DeviceStatus): Line[] {
  return link.name === 'linked' && link.notice !== undefined ? [warn(link.notice)] : []
}

function linkLine({ link, gateway, retryAt }: DeviceStatus, now: Date): Line {
  if (link.name === 'linked') return good(`Connected to ${link.gateway} as device ${link.device}`)
  if (link.name === 'connecting') return info(`Connecting to ${gateway}…`)
  const advice = link.advice === undefined ? '' : ` → ${link.advice}`
  return bad(`Not connected to ${gateway}: ${link.why}${advice}${retryWord(retryAt, now)}`)
}

function retryWord(retryAt: string | undefined, now: Date): string {
  if (retryAt === undefined) return ''
  const seconds = (Date.parse(retryAt) - now.getTime()) / 1000
  return seconds < 1 ? ' (retrying now)' : ` (retrying in ${formatSeconds(seconds)})`
}

function backendLines({ backend }: DeviceStatus): Line[] {
  if (backend === undefined) return []
  const problems = backend.problems.map((problem) => warn(describeProblem(problem)))
  return [info(`Models run on ${describeRung(backend)}`), ...problems]
}

function modelLine(model: ModelStatus): Line {
  const { name, state, why, slots = 0, busy, contextLength = 0, features = [], keepAlive } = model
  if (state === 'loading') return info(`${name}: ${describeLoading(model)}`)
  if (state === 'loadable') return info(`${name}: not in memory; loads when a request needs it`)
  if (state === 'serving') {
    const able = describeFeatures(features)
    return good(
      `${name}: ${busy} of ${plural(slots, 'slot')} busy, ${formatCount(contextLength)} tokens each (${able})${keepWord(keepAlive)}`,
    )
  }
  if (state === 'failed') return bad(`${name}: can't serve this model: ${why}`)
  return info(why === undefined ? `${name}: ${state}` : `${name}: ${state}: ${why}`)
}

function blockedLines({ name, blocked }: ModelStatus, now: Date): Line[] {
  if (blocked === undefined) return []
  const leftSeconds = (Date.parse(blocked.until) - now.getTime()) / 1000
  return [warn(describeBlocked(name, blocked, leftSeconds))]
}

function keepWord(keepAlive: string | undefined): string {
  if (keepAlive === undefined) return ''
  if (keepAlive === 'always') return ', stays in memory'
  return keepAlive === 'never' ? ', unloads when idle' : `, unloads after ${keepAlive} idle`
}
