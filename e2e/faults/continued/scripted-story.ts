// One reply of scripted devices: its tokens, how the devices that serve it are lost, and what the client must see.

import type { JobPlan, ScriptedDevice } from '@hearth/gateway/testing'
import type { ChatJob } from '@hearth/protocol'
import type { Seen } from './seen.ts'

export type Loss = 'crash' | 'failure' | 'engine crash' | 'freeze' | 'drain' | 'nonsense'

interface PlannedLoss {
  how: Loss
  /** The token before which it happens. */
  at: number
}

const LOSSES: readonly Loss[] = ['crash', 'crash', 'failure', 'failure', 'drain', 'nonsense', 'engine crash', 'freeze']
const CHOICES = [1, 1, 1, 2, 3, 8]
const TOKENS = 24
/** Half characters, and tokens without text, as a model has them while it thinks. */
const ODD_TEXTS = [['', ''], '🙂'.split(''), ['語', ''], ['"', '\n']]
const MOST_LOSSES = 3
const CALL = { id: 'call_1', name: 'add', arguments: '{"a":1,"b":2}' }
const TOOL = { type: 'function', function: { name: 'add', parameters: { type: 'object' } } }

export class Story {
  readonly name: string
  readonly isStream: boolean
  readonly losses: readonly PlannedLoss[]
  /** Devices that the test has to wake up, and those that leave once they returned the job. */
  readonly frozen: ScriptedDevice[] = []
  readonly leaving: ScriptedDevice[] = []
  /** How often a device was asked to continue. */
  seams = 0
  readonly #choices: number
  readonly #texts: readonly string[]
  readonly #hasCalls: boolean
  readonly #hasLogprobs: boolean
  #attempts = 0

  constructor(name: string, random: () => number) {
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!
    this.name = name
    this.isStream = random() < 0.75
    this.#choices = pick(CHOICES)
    this.#hasCalls = random() < 0.2
    this.#hasLogprobs = random() < 0.2
    this.#texts = drawTexts(random)
    this.losses = drawLosses(random, pick)
  }

  get body(): object {
    return {
      messages: [{ role: 'user', content: this.name }],
      n: this.#choices,
      ...(this.isStream && { stream_options: { include_usage: true } }),
      ...(this.#hasCalls && { tools: [TOOL] }),
      ...(this.#hasLogprobs && { logprobs: true }),
    }
  }

  get expected(): Seen {
    const choice = {
      text: this.#texts.join(''),
      calls: this.#hasCalls ? [`${CALL.name} ${CALL.arguments}`] : [],
      tokens: this.#hasLogprobs ? [...this.#texts] : [],
      finishes: [this.#hasCalls ? 'tool_calls' : 'stop'],
    }
    const usage = { prompt_tokens: 1, completion_tokens: TOKENS, total_tokens: TOKENS + 1 }
    return { choices: Array.from({ length: this.#choices }, () => choice), usage, ends: ['done'] }
  }

  /** For the device that gets the job now. */
  nextPlan({ recovery }: ChatJob, device: ScriptedDevice): JobPlan {
    const loss = this.losses[this.#attempts++]
    if (recovery?.choices !== undefined) this.seams += 1
    if (loss?.how === 'freeze') this.frozen.push(device)
    if (loss?.how === 'drain') this.leaving.push(device)
    const calls = this.#hasCalls ? { calls: [CALL] } : {}
    return { text: this.#texts, reportsTokens: true, ...calls, ...(loss && planLoss(loss)) }
  }
}

export function drawStory(name: string, random: () => number): Story {
  return new Story(name, random)
}

/** Each device gets further than the one before. */
function drawLosses(random: () => number, pick: <T>(items: readonly T[]) => T): PlannedLoss[] {
  const count = 1 + Math.floor(random() * MOST_LOSSES)
  const places = Array.from({ length: count }, () => 1 + Math.floor(random() * TOKENS)).toSorted((a, b) => a - b)
  const losses = [...new Set(places)].map((at) => ({ how: pick(LOSSES), at }))
  // A request on which two engines died is not tried again.
  return losses.filter(
    ({ how }, index) => how !== 'engine crash' || losses.findIndex((each) => each.how === how) === index,
  )
}

function drawTexts(random: () => number): string[] {
  const pairs = Array.from({ length: TOKENS / 2 - 1 }, (_, index) =>
    random() < 0.3 ? ODD_TEXTS[Math.floor(random() * ODD_TEXTS.length)]! : [` t${2 * index}`, ` t${2 * index + 1}`],
  )
  return [...pairs.flat(), ' the', ' end']
}

function planLoss({ how, at }: PlannedLoss): JobPlan {
  switch (how) {
    case 'crash':
      return { crashAt: at }
    case 'freeze':
      return { freezeAt: at }
    case 'failure':
      return { failure: { at, retryable: true } }
    case 'engine crash':
      return { failure: { at, retryable: true, crashed: true } }
    case 'drain':
      return { junk: { at, message: '{"type":"drain"}' }, failure: { at, retryable: true } }
    case 'nonsense':
      return { junk: { at, message: '{"type":"job-delta"}' } }
    default:
      return how satisfies never
  }
}
