import type { Feature } from '../../../api/features.ts'
import type { Body } from '../request/body.ts'
import { readSettings } from '../settings/read-settings.ts'
import type { Settings } from '../settings/settings.ts'
import { toMessages } from './to-messages.ts'
import type { Turn } from './turn.ts'

/** The request body for these turns. The call and the code dialog both use it. */
export function makeBody(
  model: string,
  settings: Settings,
  features: readonly Feature[],
  turns: readonly Turn[],
): Body {
  const { fields } = readSettings(settings, features)
  return { model, messages: toMessages(settings.system, turns), ...fields }
}
