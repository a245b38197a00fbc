// The settings of a request, as typed.

import { SAMPLE_SCHEMA } from './samples.ts'

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
  reasoningEffort: '' | 'low' | 'medium' | 'high'
  logitBias: string
  stream: boolean
  logprobs: boolean
  topLogprobs: string
  format: 'text' | 'json_object' | 'json_schema'
  schemaName: string
  schema: string
  tools: string
  toolChoice: 'auto' | 'none'
  webSearch: boolean
  searchSize: '' | 'low' | 'medium' | 'high'
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

export type Faults = Partial<Record<keyof Settings, string>>

export interface Range {
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
} satisfies Partial<Record<keyof Settings, Range>>
