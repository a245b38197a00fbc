import { describe, expect, it } from 'vitest'
import { readSettings } from './read-settings.ts'
import { SAMPLE_SCHEMA, SAMPLE_TOOLS } from './samples.ts'
import { DEFAULTS, type Settings } from './settings.ts'

function read(changes: Partial<Settings>) {
  return readSettings({ ...DEFAULTS, stream: false, ...changes }, [])
}

describe('readSettings', () => {
  it('sends no empty fields', () => {
    expect(read({})).toStrictEqual({ fields: {}, errors: {} })
  })

  it('sends every field you set', () => {
    const { fields, errors } = read({
      temperature: '0',
      topP: '0.5',
      maxTokens: '100',
      frequencyPenalty: '-1',
      presencePenalty: '1.5',
      choices: '2',
      stop: 'END\n\\n\\n\n\\\\n',
      reasoningEffort: 'low',
      logitBias: '{"12": -100}',
      logprobs: true,
      topLogprobs: '3',
      format: 'json_object',
      tools: SAMPLE_TOOLS,
      toolChoice: 'none',
      webSearch: true,
      searchSize: 'high',
      stream: true,
    })
    expect(errors).toStrictEqual({})
    expect(fields).toStrictEqual({
      temperature: 0,
      top_p: 0.5,
      max_completion_tokens: 100,
      frequency_penalty: -1,
      presence_penalty: 1.5,
      n: 2,
      stop: ['END', '\n\n', '\\n'],
      logit_bias: { 12: -100 },
      reasoning_effort: 'low',
      logprobs: true,
      top_logprobs: 3,
      response_format: { type: 'json_object' },
      tools: JSON.parse(SAMPLE_TOOLS) as unknown,
      tool_choice: 'none',
      web_search_options: { search_context_size: 'high' },
      stream: true,
    })
  })

  it('sends the schema with its name', () => {
    expect(read({ format: 'json_schema', schemaName: 'film' }).fields['response_format']).toStrictEqual({
      type: 'json_schema',
      json_schema: { name: 'film', strict: true, schema: JSON.parse(SAMPLE_SCHEMA) as unknown },
    })
  })

  it('asks for token usage in a stream only if a device reports it', () => {
    const { fields } = readSettings(DEFAULTS, ['usage'])
    expect(fields).toStrictEqual({ stream: true, stream_options: { include_usage: true } })
    expect(readSettings(DEFAULTS, ['tools']).fields).toStrictEqual({ stream: true })
  })

  it.each<[keyof Settings, Partial<Settings>, RegExp]>([
    ['temperature', { temperature: '2.1' }, /from 0 to 2/],
    ['temperature', { temperature: 'warm' }, /a number/],
    ['maxTokens', { maxTokens: '0' }, /at least 1/],
    ['maxTokens', { maxTokens: '1.5' }, /whole/],
    ['choices', { choices: '9' }, /from 1 to 8/],
    ['stop', { stop: 'a\nb\nc\nd\ne' }, /At most 4/],
    ['stop', { stop: 'x'.repeat(257) }, /256/],
    ['logitBias', { logitBias: '{"a": 1}' }, /token ID/],
    ['logitBias', { logitBias: '{"1": 101}' }, /-100 to 100/],
    ['logitBias', { logitBias: '[1]' }, /an object/],
    ['schema', { format: 'json_schema', schema: '{\n  "type": nothing }' }, /Invalid JSON: .*token/],
    ['schema', { format: 'json_schema', schema: '[]' }, /an object/],
    ['schemaName', { format: 'json_schema', schemaName: 'a b' }, /letters/],
    ['tools', { tools: '{}' }, /an array/],
    ['tools', { tools: '[{"type":"search"}]' }, /Tool 1: "type"/],
    ['tools', { tools: '[{"type":"function","function":{"name":"no spaces"}}]' }, /Tool 1: "name"/],
    ['tools', { tools: '[{"type":"function","function":{"name":"a","parameters":3}}]' }, /JSON schema/],
  ])('shows an error at %s: %j', (name, changes, message) => {
    const { errors } = read(changes)
    expect(Object.keys(errors)).toStrictEqual([name])
    expect(errors[name]).toMatch(message)
  })
})
