// Fills in what a request leaves open with the defaults of its model. The request's own fields always win. At temperature 0, a reply is the
// likeliest one: what is only recommended doesn't bend it.

import type { ChatJob, JobMessage, ModelDefaults, SentDefaults } from '@hearth/protocol'
import type { EngineJob } from '../engines/engine.ts'

export function withDefaults(job: ChatJob, defaults: SentDefaults | undefined): EngineJob {
  if (defaults === undefined) return job
  const { systemMessage, recommended = [], ...fields } = defaults
  const isGreedy = (job.temperature ?? fields.temperature) === 0
  const applying = isGreedy ? Object.entries(fields).filter(([name]) => !recommended.includes(name)) : undefined
  return {
    ...(applying ? Object.fromEntries(applying) : fields),
    ...job,
    messages: withSystemMessage(job.messages, systemMessage),
  }
}

/** A conversation with a system message of its own gets no second one, wherever it stands. */
function withSystemMessage(messages: JobMessage[], content: string | undefined): JobMessage[] {
  if (content === undefined || messages.some(({ role }) => role === 'system')) return messages
  return [{ role: 'system', content }, ...messages]
}

/** Without the chat template if the owner doesn't let administrators set one: the model keeps its own. */
export function allowedDefaults(
  { chatTemplate, ...defaults }: ModelDefaults,
  { takesTemplates = () => true }: { takesTemplates?: () => boolean },
): ModelDefaults {
  return { ...defaults, ...(chatTemplate !== undefined && takesTemplates() && { chatTemplate }) }
}
