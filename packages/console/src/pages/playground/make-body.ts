import { toMessages, type Message, type Turn } from './conversation.ts'
import { readSettings, type Feature, type ReadSettings, type Settings } from './settings.ts'

export interface Body extends Record<string, unknown> {
  model: string
  messages: Message[]
}

/** The request body for these turns. The call and the code dialog both use it. */
export function makeBody(
  model: string,
  settings: Settings,
  features: readonly Feature[],
  turns: readonly Turn[],
): { body: Body; faults: ReadSettings['faults'] } {
  const { fields, faults } = readSettings(settings, features)
  return { body: { model, messages: toMessages(settings.system, turns), ...fields }, faults }
}
