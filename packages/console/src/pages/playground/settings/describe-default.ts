import type { Schemas } from '../../../api/client.ts'
import type { RANGES } from './settings.ts'

export type Defaults = Record<'own' | 'recommended', Schemas['ModelDefaults']>

export type NumberSetting = Exclude<keyof typeof RANGES, 'topLogprobs'>

/** Engines follow the reference API where a model has no default; a local server may have a value of its own. */
const OF_ENGINES: Record<NumberSetting, string> = {
  temperature: 'usually 1',
  topP: 'usually 1',
  maxTokens: 'no limit',
  choices: '1',
  frequencyPenalty: 'usually 0',
  presencePenalty: 'usually 0',
}

/** The value that an empty field stands for. `defaults` is undefined while it is unknown, or if there are several models. */
export function describeDefault(name: NumberSetting, defaults: Defaults | undefined): string {
  if (name === 'choices') return OF_ENGINES.choices
  if (!defaults) return 'default'
  const value = defaults.own[name] ?? defaults.recommended[name]
  return value === null ? OF_ENGINES[name] : `${value} (default)`
}
