// The status of the running app in words: a live line for `start`, a small page for `status`. Pure.

import type { DeviceStatus, ModelStatus } from '../state/status-file.ts'
import type { Line } from './describe-news.ts'
import { describeDownload } from './describe-news.ts'
import { formatCount, formatSeconds, plural } from './format.ts'

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
  return link.name === 'linked' ? '● linked' : link.name === 'connecting' ? '○ connecting' : '○ not linked'
}

function slotsWord(models: readonly ModelStatus[]): string {
  const slots = models.reduce((sum, model) => sum + (model.slots ?? 0), 0)
  const busy = models.reduce((sum, model) => sum + model.busy, 0)
  return `${busy} of ${plural(slots, 'slot')} busy`
}

export function describeStatus(status: DeviceStatus, now: Date): Line[] {
  const runningSeconds = (now.getTime() - Date.parse(status.startedAt)) / 1000
  const { running, answered, failed, stopped } = status.jobs
  return [
    {
      level: 'good',
      text: `${status.name} runs device app ${status.app} for ${formatSeconds(runningSeconds)} (process ${status.pid})`,
    },
    linkLine(status),
    status.permission.allowed
      ? { level: 'good', text: 'allowed to serve' }
      : { level: 'warn', text: `not serving: ${status.permission.why}` },
    ...(status.pulling === undefined
      ? []
      : [
          {
            level: 'info' as const,
            text: `fetching ${status.pulling.label}: ${describeDownload(status.pulling.progress)}`,
          },
        ]),
    ...status.models.map(modelLine),
    {
      level: 'info',
      text: `jobs: ${formatCount(running)} running, ${formatCount(answered)} answered, ${formatCount(failed)} failed, ${formatCount(stopped)} stopped`,
    },
  ]
}

function linkLine({ link, gateway }: DeviceStatus): Line {
  if (link.name === 'linked') return { level: 'good', text: `linked to ${link.gateway} as device ${link.device}` }
  if (link.name === 'connecting') return { level: 'info', text: `connecting to ${gateway}` }
  const advice = link.advice === undefined ? '' : ` → ${link.advice}`
  return { level: 'bad', text: `not linked to ${gateway}: ${link.why}${advice}` }
}

function modelLine({ name, state, why, slots = 0, busy, contextLength = 0, features = [] }: ModelStatus): Line {
  if (state === 'serving') {
    const able = features.length === 0 ? 'base fields' : features.join(', ')
    return {
      level: 'good',
      text: `${name}: ${busy} of ${plural(slots, 'slot')} busy, ${formatCount(contextLength)} tokens each (${able})`,
    }
  }
  if (state === 'failed') return { level: 'bad', text: `${name}: cannot be served: ${why}` }
  return { level: 'info', text: why === undefined ? `${name}: ${state}` : `${name}: ${state}: ${why}` }
}
