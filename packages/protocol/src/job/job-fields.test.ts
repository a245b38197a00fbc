import { describe, expect, it } from 'vitest'
import type { ChatJob } from './chat-job.ts'
import { FEATURES } from '../features.ts'
import { JOB_FIELDS, JOB_FIELD_NAMES, jobNeeds, type JobFields } from './job-fields.ts'

const base: ChatJob = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }
const call = { id: 'c', name: 'f', arguments: '{}' }

// One value per feature and field that asks for it. The compiler checks that a new field of a job
// gets its line.
const ASKING: { [Name in keyof ChatJob]-?: { value: Required<ChatJob>[Name]; needs: string[] }[] } = {
  model: [{ value: 'm', needs: [] }],
  messages: [
    { value: [{ role: 'system', content: '' }], needs: [] },
    { value: [{ role: 'assistant', content: '' }], needs: [] },
    { value: [{ role: 'assistant', content: '', toolCalls: [call] }], needs: ['tools messages[0].role'] },
    {
      value: [...base.messages, { role: 'tool', content: '', toolCallId: 'c' }],
      needs: ['tools messages[1].role'],
    },
  ],
  tools: [{ value: [{ name: 'f' }], needs: ['tools tools'] }],
  toolChoice: [{ value: 'none', needs: ['tools tool_choice'] }],
  n: [
    { value: 1, needs: [] },
    { value: 2, needs: ['n n'] },
  ],
  logprobs: [{ value: { top: 0 }, needs: ['logprobs logprobs'] }],
  logitBias: [{ value: { '1': 1 }, needs: ['logit_bias logit_bias'] }],
  responseFormat: [
    { value: { type: 'json_object' }, needs: ['json_object response_format'] },
    { value: { type: 'json_schema', name: 'n', schema: {} }, needs: ['json_schema response_format'] },
  ],
  reasoningEffort: [{ value: 'low', needs: ['reasoning_effort reasoning_effort'] }],
  webSearch: [{ value: {}, needs: ['web_search web_search_options'] }],
  prefixScope: [
    { value: { name: 'a' }, needs: [] },
    { value: { name: 'a', isSeparate: true }, needs: ['prefix_scope model'] },
  ],
  recovery: [{ value: {}, needs: ['resume model'] }],
  temperature: [{ value: 1, needs: [] }],
  topP: [{ value: 1, needs: [] }],
  maxTokens: [{ value: 1, needs: [] }],
  stop: [{ value: ['\n'], needs: [] }],
  frequencyPenalty: [{ value: 1, needs: [] }],
  presencePenalty: [{ value: 1, needs: [] }],
}

function namesOf(job: ChatJob): string[] {
  return jobNeeds(job).map(({ feature, param }) => `${feature} ${param}`)
}

describe('the table of job fields', () => {
  it.each(Object.entries(ASKING).flatMap(([name, values]) => values.map(({ value, needs }) => [name, value, needs])))(
    'a job with %s %j needs %j',
    (name, value, needs) => {
      expect(namesOf({ ...base, [name as string]: value })).toEqual(needs)
    },
  )

  it('covers every feature except usage and sealed, which no job field asks for', () => {
    const asked = Object.values(ASKING).flatMap((values) => values.flatMap(({ needs }) => needs))
    const features = new Set(asked.map((need) => need.split(' ')[0]!))
    expect([...features, 'usage', 'sealed'].toSorted()).toEqual([...FEATURES].toSorted())
  })

  it('names each feature once, by the first field that asks for it', () => {
    const tools = { tools: [{ name: 'f' }], toolChoice: 'none' } as const
    expect(namesOf({ ...base, ...tools, tools: [...tools.tools], n: 2 })).toEqual(['tools tools', 'n n'])
    const messages = [...base.messages, { role: 'tool' as const, content: '', toolCallId: 'c' }]
    expect(namesOf({ ...base, messages, tools: [{ name: 'f' }] })).toEqual(['tools messages[1].role'])
  })

  it('does not compile without an entry for every field of a job', () => {
    // @ts-expect-error: a job has a field that is missing in the table
    const grown: JobFields<Required<ChatJob> & { seed: number }> = JOB_FIELDS
    expect(Object.keys(grown)).toEqual(JOB_FIELD_NAMES)
  })

  it('does not compile when an entry forgets to say what its field needs', () => {
    const { read } = JOB_FIELDS.webSearch
    // @ts-expect-error: `needs` is missing
    const table: JobFields<Required<ChatJob>> = { ...JOB_FIELDS, webSearch: { read } }
    expect(table.webSearch.needs).toBeUndefined()
  })
})
