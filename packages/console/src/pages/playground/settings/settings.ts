// The settings of a request, as typed.

import { SAMPLE_SCHEMA } from './samples.ts'

export const LEVELS = ['low', 'medium', 'high'] as const
export type Level = (typeof LEVELS)[number]

export const FORMATS = ['text', 'json_object', 'json_schema'] as const
export const TOOL_CHOICES = ['auto', 'none'] as const

export interface Settings {
  system: string
  temperature: string
  topP: string
  maxTokens: string
  frequencyPenalty: string
  presencePenalty: string
  choices: string
  /** One per line. */
  stop: string
  reasoningEffort: Level | ''
  logitBias: string
  stream: boolean
  logprobs: boolean
  topLogprobs: string
  format: (typeof FORMATS)[number]
  schemaName: string
  schema: string
  tools: string
  toolChoice: (typeof TOOL_CHOICES)[number]
  webSearch: boolean
  searchSize: Level | ''
}

export const DEFAULTS: Settings = {
  system: '',
  temperature: '',
  topP: '',
  maxTokens: '',
  frequencyPenalty: '',
  presencePenalty: '',
  choices: '',
  stop: '',
  reasoningEffort: '',
  logitBias: '',
  stream: true,
  logprobs: false,
  topLogprobs: '5',
  format: 'text',
  schemaName: 'answer',
  schema: SAMPLE_SCHEMA,
  tools: '',
  toolChoice: 'auto',
  webSearch: false,
  searchSize: '',
}

export type SettingsErrors = Partial<Record<keyof Settings, string>>

export interface NumberRange {
  min: number
  max: number
  isWhole?: boolean
}

export const RANGES = {
  temperature: { min: 0, max: 2 },
  topP: { min: 0, max: 1 },
  maxTokens: { min: 1, max: Number.MAX_SAFE_INTEGER, isWhole: true },
  frequencyPenalty: { min: -2, max: 2 },
  presencePenalty: { min: -2, max: 2 },
  choices: { min: 1, max: 8, isWhole: true },
  topLogprobs: { min: 0, max: 20, isWhole: true },
} satisfies Partial<Record<keyof Settings, NumberRange>>
