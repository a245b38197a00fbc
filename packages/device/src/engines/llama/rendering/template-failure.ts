// The error of a job whose chat template exceeded a limit, in words for the person who can change the template.

import type { Excess } from '../../../watch/lifeline.ts'
import { EngineError } from '../../engine.ts'
import { MEMORY_BYTES, RENDER_CPU_MS } from './render-limits.ts'
import type { RenderAnswer } from './render-messages.ts'

/** Where a template comes from: the model's file, or an administrator of the organization. */
export type TemplateOrigin = 'file' | 'organization'

type TemplateProblem = Excess | Exclude<Extract<RenderAnswer, { type: 'failed' }>['failure'], 'vocabulary'>

const NAMES: Record<TemplateOrigin, string> = {
  file: "The chat template in the model's file",
  organization: 'The chat template that is set for this model',
}

const REMEDIES: Record<TemplateOrigin, string> = {
  file: 'Set another one under Models in the console',
  organization: 'Change it under Models in the console',
}

const PROBLEMS: Record<TemplateProblem, string> = {
  time: `took more than ${RENDER_CPU_MS / 1_000} seconds to render`,
  memory: `took more than ${MEMORY_BYTES / 1_000_000} MB of memory to render`,
  output: 'wrote far more text than it was given',
  unreadable: "can't be read",
  unfitting: "can't express these messages",
}

export class TemplateFailure extends EngineError {
  override name = 'TemplateFailure'
  /** It took too much, rather than being wrong. */
  readonly isExcess: boolean

  constructor(origin: TemplateOrigin, problem: TemplateProblem) {
    super('failed', `${NAMES[origin]} ${PROBLEMS[problem]}. ${REMEDIES[origin]}`)
    this.isExcess = problem !== 'unreadable' && problem !== 'unfitting'
  }
}
