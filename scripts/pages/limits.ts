// Limits of the API, of the link to devices and of everything that others can make the gateway keep or do, in words.

import * as link from '@hearth/protocol'
import { MAX_DEPTH } from '@hearth/chat'
import type { Bound } from '../../packages/gateway/src/testing/bounds/bound.ts'
import { BOUND_GROUPS } from '../../packages/gateway/src/testing/bounds/bounds.ts'
import { JOB_LIMITS } from '../../packages/gateway/src/fleet/jobs/limits.ts'
import { SCHEDULER_LIMITS } from '../../packages/gateway/src/fleet/scheduler/core/types.ts'
import { readConfig } from '../../packages/gateway/src/config.ts'
import { table } from './markdown.ts'

const KIB = 1024
const MIB = 1024 * KIB

export function apiLimits(): string {
  const config = readConfig({})
  return table(
    ['Limit', 'Value', 'Setting'],
    [
      ['request body', bytes(config.MAX_BODY_BYTES), '`MAX_BODY_BYTES`'],
      ['nesting of JSON', `${MAX_DEPTH} levels`, ''],
      [
        'messages, tools',
        `${count(config.MAX_MESSAGES)} and ${count(config.MAX_TOOLS)}`,
        '`MAX_MESSAGES`, `MAX_TOOLS`',
      ],
      ['waiting for a device', time(config.DEVICE_WAIT_MS), '`DEVICE_WAIT_MS`'],
      ['time to first token', time(config.FIRST_EVENT_MS), '`FIRST_EVENT_MS`'],
      ['time between two tokens', time(config.EVENT_GAP_MS), '`EVENT_GAP_MS`'],
      ['total time of a request', time(config.JOB_TOTAL_MS), '`JOB_TOTAL_MS`'],
    ],
  )
}

export function linkLimits(): string {
  return table(
    ['What', 'Limit'],
    [
      ['a message', `${bytes(link.MAX_FRAME_BYTES)}, in up to ${link.MAX_FRAGMENTS} WebSocket fragments`],
      [
        'everything up to the `hello`',
        `${bytes(link.MAX_HELLO_BYTES)}, within ${time(link.GREETING_MS)}; a device has at most two links that have not said hello`,
      ],
      ['models in `hello` and `models`', `${link.MAX_MODELS_PER_DEVICE}, each with up to ${link.MAX_SLOTS} slots`],
      ['names, ids, digests, reasons', `${link.MAX_NAME_LENGTH} characters`],
      [
        'log probabilities in a frame',
        `${count(link.MAX_LOGPROBS)} tokens, each with up to ${link.MAX_TOP_LOGPROBS} alternatives`,
      ],
      ['a token with its log probability', `${count(link.MAX_TOKEN_LENGTH)} characters, ${link.MAX_TOKEN_BYTES} bytes`],
      ['tool calls in a frame', String(link.MAX_CALLS)],
      ['citations in a frame', count(link.MAX_ANNOTATIONS)],
      ['token IDs in a frame', count(link.MAX_TOKEN_IDS)],
      ['choices of a job', String(link.MAX_CHOICES)],
      ['facts about the machine', `${link.MAX_MACHINE_TEXT} characters each`],
      ['sources of models', `${count(link.MAX_SOURCE_LENGTH)} characters`],
      ['problems, remedies and reasons for people', `${count(link.MAX_REASON_LENGTH)} characters`],
      ['a sealed event in base64', `${bytes(link.MAX_BOX_LENGTH)}; of an end, ${bytes(link.MAX_END_BOX_LENGTH)}`],
    ],
  )
}

export function linkTimes(): string {
  const config = readConfig({})
  return table(
    ['What', 'Time', 'Beyond it'],
    [
      ['from the connection to `hello`', time(link.GREETING_MS), 'code 4408'],
      [
        'between pings',
        `${time(config.PING_BUSY_MS)} while jobs run, ${time(config.PING_IDLE_MS)} otherwise`,
        `after ${link.MISSED_PINGS} silent ones, code 4410`,
      ],
      [
        'from `job-start` to `job-accept` or `job-refuse`',
        time(link.ACCEPT_MS),
        `after ${time(JOB_LIMITS.hedgeMs)}, another device is asked too, and the first that accepts has the job`,
      ],
      ['without a sign, before the first event of a job', time(config.FIRST_EVENT_MS), 'the attempt has failed'],
      ['without a sign, after it', time(config.EVENT_GAP_MS), 'the attempt has failed'],
      ['loading the model for a job', time(config.DEVICE_WAIT_MS), 'the client gets a 503'],
      ['a job, altogether', time(config.JOB_TOTAL_MS), 'the job has failed'],
      ['from `job-cancel` to `job-cancelled`', time(SCHEDULER_LIMITS.cancelMs), 'the slot gets no jobs until it comes'],
    ],
  )
}

export function boundTable(group: keyof typeof BOUND_GROUPS): string {
  const rows = Object.values<Bound>(BOUND_GROUPS[group]).map(({ what, most, beyond }) => [
    what,
    most.map(({ text }) => text).join(', '),
    beyond,
  ])
  return table(['What', 'At most', 'Beyond it'], rows)
}

/** 20 MiB, 256 KiB */
function bytes(amount: number): string {
  return amount % MIB === 0 ? `${amount / MIB} MiB` : `${amount / KIB} KiB`
}

/** 120 s, 30 min */
function time(milliseconds: number): string {
  const seconds = milliseconds / 1000
  return seconds > 600 && seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`
}

function count(amount: number): string {
  return amount.toLocaleString('en-US')
}
