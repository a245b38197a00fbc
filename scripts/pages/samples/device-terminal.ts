// The lines that a device with the starter model prints while it runs.

import { stripVTControlCharacters } from 'node:util'
import type { DeviceModel } from '@hearth/protocol'
import type { DeviceNews } from '../../../packages/device/src/news.ts'
import type { DeviceStatus } from '../../../packages/device/src/state/status-file.ts'
import { describeNews } from '../../../packages/device/src/terminal/describe-news.ts'
import type { Line } from '../../../packages/device/src/terminal/line.ts'
import { describeLive, describeStatus } from '../../../packages/device/src/terminal/describe-status.ts'
import { createScreen } from '@hearth/command-line/terminal/screen'
import ownPackage from '../../../packages/device/package.json' with { type: 'json' }

const GATEWAY = 'https://hearth.example.com/'
const ORGANIZATION = '01a1dd95-0a52-7c11-8d40-5f0d3c1b2a90'
const DEVICE = '01a1dd95-b075-7d2b-947d-1681d3bdfff7'

const MODEL: DeviceModel = {
  name: 'smollm2-135m-instruct',
  contextLength: 8_192,
  slots: 4,
  features: ['usage', 'json_object', 'json_schema', 'tools', 'logprobs', 'n', 'logit_bias', 'reasoning_effort'],
}

const STATUS: DeviceStatus = {
  app: ownPackage.version,
  pid: 1185,
  startedAt: '2026-11-15T10:00:00Z',
  updatedAt: '2026-11-15T10:00:28Z',
  name: 'studio',
  gateway: GATEWAY,
  organization: ORGANIZATION,
  link: { name: 'linked', gateway: GATEWAY, device: DEVICE, organization: ORGANIZATION },
  permission: { allowed: true },
  models: [{ ...MODEL, state: 'serving', busy: 1, keepAlive: '30m' }],
  jobs: { running: 1, answered: 2, failed: 0, stopped: 0, handedOver: 0 },
}

export function deviceStart(): string {
  const { name } = MODEL
  const news: DeviceNews[] = [
    { type: 'model', name, state: { name: 'loading', sinceMs: 0 } },
    { type: 'link', state: { ...STATUS.link } },
    { type: 'model', name, state: { name: 'serving', model: MODEL } },
  ]
  return `$ hearth-device start\n${show(news.flatMap((one) => describeNews(one) ?? []))}${describeLive(STATUS)}`
}

export function deviceStatus(): string {
  return `$ hearth-device status\n${show(describeStatus(STATUS, new Date(STATUS.updatedAt)))}`
}

export function show(lines: readonly Line[]): string {
  let text = ''
  const screen = createScreen({ write: (more) => (text += more) })
  for (const { level, text: line } of lines) screen.line(level, line)
  return stripVTControlCharacters(text)
}
