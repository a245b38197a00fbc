import type { JobPlan } from '@hearth/gateway/testing'

/** Calls the first tool, and answers once it has the result. */
export function callsThenAnswers({ messages }: { messages: { role: string }[] }): JobPlan {
  return messages.at(-1)!.role === 'tool' ? {} : { calls: 'first-tool' }
}
