// Why a request from the console can't be carried out, in words for the person who asked.

import { CommandError, describeError, StorageError } from '@hearth/command-line/errors'
import { MAX_REASON_LENGTH, type ModelProblem, type ModelProblemCode } from '@hearth/protocol'
import { HubUnreachable } from '../models/hub/hub.ts'
import { ForbiddenAddress } from '../outside/web-rules.ts'

export class RequestProblem extends CommandError {
  override name = 'RequestProblem'
  readonly code: ModelProblemCode

  constructor(code: ModelProblemCode, message: string, advice?: string) {
    super(message, advice)
    this.code = code
  }
}

export function toModelProblem(error: unknown): ModelProblem {
  const advice = error instanceof CommandError ? error.advice : undefined
  return {
    code: codeOf(error),
    message: describeError(error).slice(0, MAX_REASON_LENGTH),
    ...(advice !== undefined && { remedy: advice.slice(0, MAX_REASON_LENGTH) }),
  }
}

function codeOf(error: unknown): ModelProblemCode {
  if (error instanceof RequestProblem) return error.code
  if (error instanceof ForbiddenAddress) return 'not-allowed'
  if (error instanceof StorageError) return 'no-room'
  if (error instanceof HubUnreachable) return 'unreachable'
  return error instanceof CommandError ? 'not-found' : 'failed'
}
