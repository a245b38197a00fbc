// What an event of a device weighs: its tokens, as far as they are known, and the memory that it takes, for the limit of one reply. A message may
// hold frames of many jobs, so its bytes on the link don't say how much each job got; and a list of numbers takes far more memory than its text.

import { estimateTokens } from '@hearth/chat'
import type { TokenLogprob } from '@hearth/protocol'
import type { EventFrame } from './answer.ts'

type Token = Omit<TokenLogprob, 'top'>

/** A box with a short text has about this many characters: the text is padded, sealed and written as base64. */
const SHORT_BOX = 108
/** The object around the texts and numbers of a token, a call or a citation. */
const ITEM_BYTES = 64
const BYTES_PER_NUMBER = 8

/** The device's own count, or one token per log probability, or an estimate, which may be a fraction. */
export function eventTokens(frame: EventFrame): number {
  switch (frame.type) {
    case 'job-delta':
      return frame.tokens ?? frame.logprobs?.length ?? estimateTokens(frame.text.length)
    case 'job-calls':
      return frame.calls.reduce((sum, call) => sum + estimateTokens(call.name.length + call.arguments.length), 0)
    case 'job-annotations':
      return 0
    case 'job-sealed':
      return frame.tokens ?? 1 + estimateTokens(Math.max(0, frame.box.length - SHORT_BOX))
    default:
      return frame satisfies never
  }
}

export function frameBytes(frame: EventFrame): number {
  switch (frame.type) {
    case 'job-delta':
      return textBytes(frame.text) + logprobBytes(frame.logprobs)
    case 'job-calls':
      return frame.calls.reduce(
        (sum, call) => sum + ITEM_BYTES + textBytes(call.id) + textBytes(call.name) + textBytes(call.arguments),
        0,
      )
    case 'job-annotations':
      return frame.annotations.reduce((sum, { url, title }) => sum + ITEM_BYTES + textBytes(url) + textBytes(title), 0)
    case 'job-sealed':
      // As base64, so that a sealed reply may be about as long as one in the clear.
      return ITEM_BYTES + Math.ceil((frame.box.length * 3) / 4)
    default:
      return frame satisfies never
  }
}

function logprobBytes(logprobs: readonly TokenLogprob[] | undefined): number {
  let bytes = 0
  for (const logprob of logprobs ?? []) {
    bytes += tokenBytes(logprob)
    for (const alternative of logprob.top) bytes += tokenBytes(alternative)
  }
  return bytes
}

function tokenBytes({ token, bytes }: Token): number {
  return ITEM_BYTES + textBytes(token) + BYTES_PER_NUMBER * bytes.length
}

/** Most text takes one byte per character. A stream keeps none of it, and a whole reply counts what it keeps. */
function textBytes(text: string): number {
  return text.length
}
