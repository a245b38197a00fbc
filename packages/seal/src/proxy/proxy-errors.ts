// The errors that clients get from hearth-seal itself. All others are the gateway's.

import { ApiError } from '@hearth/chat'
import { describeError } from '@hearth/command-line/errors'
import type { Rejection } from '../gateway/seal-api.ts'
import type { Mismatch } from '@hearth/command-line/trust/check-trust'
import { explainMismatch } from '@hearth/command-line/trust/explain-mismatch'

const NO_RETRY = { 'x-should-retry': 'false' }

/** The gateway answered with an error, which the client gets as it is. */
export class GatewayRejection extends Error {
  override name = 'GatewayRejection'
  readonly rejection: Rejection

  constructor(rejection: Rejection) {
    super('The gateway rejected the request')
    this.rejection = rejection
  }
}

export function answerUnreachable(error: unknown): never {
  throw new ApiError(
    'service_unavailable',
    `hearth-seal cannot reach the gateway: ${describeError(error)}. Check your network connection, then try again.`,
    null,
    { 'retry-after': '2' },
  )
}

export function doesNotFit(mismatch: Mismatch): ApiError {
  const { message, advice } = explainMismatch(mismatch)
  return sealMismatch(`${message}: ${advice}.`)
}

/** Something that no honest gateway does. */
export function replyDoesNotFit(): ApiError {
  return sealMismatch(
    'The reply was changed, cut or mixed up on its way, so it was stopped here. Try again; if this keeps happening, tell the administrators of your organization.',
  )
}

export function noDevices(): ApiError {
  return new ApiError(
    'model_unavailable',
    'No device is approved for sealed requests yet. An administrator of your organization approves one with: hearth-seal approve',
    'model',
    NO_RETRY,
  )
}

export function cutOff(): ApiError {
  return new ApiError(
    'server_error',
    'The gateway closed the connection before the reply was complete. Please try again.',
  )
}

function sealMismatch(message: string): ApiError {
  return new ApiError('seal_mismatch', message, null, NO_RETRY)
}
