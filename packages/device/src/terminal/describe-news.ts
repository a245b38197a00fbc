// Turns each event of the device into one line of text, the same for the terminal and the log. Pure.

import { describeFeatures } from './describe-features.ts'
import type { DeviceNews, DownloadProgress, EndedJob, LinkState, ModelState } from '../news.ts'
import { formatBytes, formatCount, formatSeconds, plural } from '@hearth/command-line/format'
import { commandToServe, describeSeen } from './describe-servers.ts'
import { bad, good, info, warn, type Line } from './line.ts'

/** Undefined for news that only changes the live line. */
export function describeNews(news: DeviceNews): Line | undefined {
  switch (news.type) {
    case 'link':
      return describeLink(news.state)
    case 'model':
      return describeModel(news.name, news.state)
    case 'pull':
      if (news.news.type === 'progress') return undefined
      return { level: news.news.type === 'notice' ? 'warn' : 'info', text: news.news.text }
    case 'permission':
      return news.permission.allowed ? good('Serving') : warn(`Not serving: ${news.permission.why}`)
    case 'handing-over':
      return describeHandingOver(news)
    case 'handed-over':
      return describeHandedOver(news)
    case 'engine-stuck':
      return warn(`${news.model}: a job is stuck; restarting the engine`)
    case 'blocked':
      return warn(describeBlocked(news.model, news, news.leftMs / 1000))
    case 'servers-found':
      return info(`${news.servers.map(describeSeen).join('. ')} → to serve them too: ${commandToServe(news.servers)}`)
    case 'notice':
      return { level: news.level ?? 'warn', text: news.text }
    case 'job-ended':
      return info(describeEnded(news.job))
    case 'jobs':
      return undefined
    default:
      return news satisfies never
  }
}

export function describeBlocked(
  model: string,
  { requests, why }: { requests: number; why: string },
  leftSeconds: number,
): string {
  const what = `rejects ${plural(requests, 'request')} for ${formatSeconds(leftSeconds)}`
  return `${model}: ${what}, because engines keep dying on ${requests === 1 ? 'it' : 'them'} (${why}) → to accept ${requests === 1 ? 'it' : 'them'} again: hearth-device unblock`
}

const ENDED = { answered: 'answered', failed: 'failed', stopped: 'stopped', handedOver: 'handed over' } as const

/** qwen3-8b: answered req_7f3a in 3.2 s (trace 4bf9…) */
function describeEnded({ request, trace, model, outcome, ms }: EndedJob): string {
  const what = `${model}: ${ENDED[outcome]} ${request} in ${(ms / 1000).toFixed(1)} s`
  return trace === undefined ? what : `${what} (trace ${trace})`
}

function describeHandingOver({ jobs, waitMs }: Extract<DeviceNews, { type: 'handing-over' }>): Line {
  const rest = `what no device can take has ${formatSeconds(waitMs / 1000)} to finish here`
  return info(`Handing ${plural(jobs, 'running job')} to other devices; ${rest}`)
}

function describeHandedOver({ handedOver, returned, ended }: Extract<DeviceNews, { type: 'handed-over' }>): Line {
  const parts = [
    handedOver > 0 ? `${plural(handedOver, 'job')} handed to other devices` : '',
    ended > 0 ? `${plural(ended, 'job')} finished here` : '',
    returned > 0 ? `${plural(returned, 'job')} returned to the gateway unfinished` : '',
  ]
  const text = parts.filter((part) => part !== '').join(', ')
  return { level: returned > 0 ? 'warn' : 'good', text: `No more running jobs: ${text}` }
}

function describeLink(state: LinkState): Line | undefined {
  switch (state.name) {
    case 'linked':
      return good(`Connected to ${state.gateway}`)
    case 'waiting': {
      const advice = state.advice === undefined ? '' : ` → ${state.advice}`
      return warn(`Not connected: ${state.why}${advice} (retrying in ${formatSeconds(state.delayMs / 1000)})`)
    }
    case 'connecting':
      return undefined
    default:
      return state satisfies never
  }
}

function describeModel(name: string, state: ModelState): Line | undefined {
  switch (state.name) {
    case 'loading':
      return info(`${name}: ${describeLoading(state)}…`)
    case 'loadable':
      return info(state.why === undefined ? `${name}: loads when a request needs it` : `${name}: unloaded ${state.why}`)
    case 'serving': {
      const { slots, contextLength, features } = state.model
      const able = describeFeatures(features)
      return good(`${name}: ready, ${plural(slots, 'slot')} of ${formatCount(contextLength)} tokens (${able})`)
    }
    case 'restarting':
      return warn(`${name}: restarting the engine: ${state.why}`)
    case 'failed':
      return bad(`${name}: can't serve this model: ${state.why} (retrying in ${formatSeconds(state.retryInMs / 1000)})`)
    case 'stopped':
      return undefined
    default:
      return state satisfies never
  }
}

/** compiling for this card (once), 3 of 14 */
export function describeLoading({ progress }: { progress?: { done: number; total: number } }): string {
  return progress === undefined ? 'loading' : `compiling for this card (once), ${progress.done} of ${progress.total}`
}

/** 12.3 MB of 98.4 MB · 13% · 5.1 MB/s · 17 s left */
export function describeDownload({ doneBytes, totalBytes, bytesPerSecond, secondsLeft }: DownloadProgress): string {
  const parts = [
    totalBytes === undefined ? formatBytes(doneBytes) : `${formatBytes(doneBytes)} of ${formatBytes(totalBytes)}`,
  ]
  if (totalBytes !== undefined && totalBytes > 0) parts.push(`${Math.floor((doneBytes / totalBytes) * 100)}%`)
  parts.push(`${formatBytes(bytesPerSecond)}/s`)
  if (secondsLeft !== undefined) parts.push(`${formatSeconds(secondsLeft)} left`)
  return parts.join(' · ')
}
