import { toMessages, type Message, type Turn } from './conversation.ts'
import { readSettings, type Feature, type ReadSettings, type Settings } from './settings.ts'

export interface Body extends Record<string, unknown> {
  model: string
  messages: Message[]
}

/** The body of the call for these turns; the same for the call itself and for the code that is shown. */
export function makeBody(
  model: string,
  settings: Settings,
  features: readonly Feature[],
  turns: readonly Turn[],
): { body: Body; faults: ReadSettings['faults'] } {
  const { fields, faults } = readSettings(settings, features)
  return { body: { model, messages: toMessages(settings.system, turns), ...fields }, faults }
}
