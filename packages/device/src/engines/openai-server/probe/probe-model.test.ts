import { describe, expect, it } from 'vitest'
import type { Feature } from '@hearth/protocol'
import type { Quirks } from '../../../testing/stand-ins/quirks.ts'
import { serve } from '../testing/serve.ts'

const ALL: Feature[] = [
  'usage',
  'json_object',
  'json_schema',
  'tools',
  'logprobs',
  'n',
  'logit_bias',
  'reasoning_effort',
]

async function featuresWith(quirks: Partial<Quirks>): Promise<readonly Feature[]> {
  const { engine } = await serve({ quirks })
  return engine.models()[0]!.features
}

async function finding(quirks: Partial<Quirks>, what: string): Promise<string> {
  const { engine } = await serve({ quirks })
  const found = engine.probeTable()[0]!.findings.find((each) => each.what === what)!
  return `${found.works ? 'yes' : 'no'} ${found.how}`.trim()
}

describe('probing', () => {
  it('announces everything on a server that does everything', async () => {
    expect(await featuresWith({})).toEqual(ALL)
  })

  const missing: [string, Partial<Quirks>, ...Feature[]][] = [
    ['enforces no JSON', { jsonObject: 'ignored', schema: 'ignored' }, 'json_object', 'json_schema'],
    ['counts no tokens in streams', { usage: 'missing' }, 'usage'],
    ['ignores a schema', { schema: 'ignored' }, 'json_schema'],
    ['refuses a schema', { schema: 'rejected' }, 'json_schema'],
    ['ignores tools', { tools: 'ignored' }, 'tools'],
    ['refuses tools', { tools: 'rejected' }, 'tools'],
    ['ignores logprobs', { logprobs: 'ignored' }, 'logprobs'],
    ['gives only five alternatives', { logprobs: 'five' }, 'logprobs'],
    ['ignores logit_bias', { bias: 'ignored' }, 'logit_bias'],
    ['never streams', { ignoresStream: true }, 'logprobs'],
    ['refuses reasoning_effort', { effort: 'rejected' }, 'reasoning_effort'],
    ['thinks but ignores reasoning_effort', { thinking: 'field', effort: 'ignored' }, 'reasoning_effort'],
  ]
  it.each(missing)('announces everything else on a server that %s', async (_, quirks, ...features) => {
    expect(await featuresWith(quirks)).toEqual(ALL.filter((each) => !features.includes(each)))
  })

  const harmless: [string, Partial<Quirks>][] = [
    ['refuses json_object but enforces schemas', { jsonObject: 'rejected' }],
    ['loses tool calls in streams', { tools: 'whole-only' }],
    ['sends tool calls in parts', { tools: 'in-parts' }],
    ['calls functions in the old shape', { tools: 'legacy' }],
    ['makes one choice only', { n: 'ignored' }],
    ['refuses several choices', { n: 'rejected' }],
    ['counts the tokens of all choices', { n: 'summed' }],
    ['removes stop sequences', { stop: 'removed' }],
    ['sends log probabilities without bytes', { logprobs: 'without-bytes' }],
    ['thinks in a field', { thinking: 'field' }],
    ['thinks in tags', { thinking: 'tags' }],
    ['thinks only if it is told how much', { effort: 'starts-thinking' }],
    ['sends nulls', { nulls: true }],
    ['knows only max_completion_tokens', { limit: 'max_completion_tokens' }],
  ]
  it.each(harmless)('announces everything on a server that %s', async (_, quirks) => {
    expect(await featuresWith(quirks)).toEqual(ALL)
  })

  it('finds out which parts of a schema are enforced', async () => {
    expect(await finding({ schema: 'without-patterns' }, 'json_schema')).toBe(
      'yes also integer-range, number-range, length, item-count, tuple, reference, one-of, all-of, date',
    )
  })

  it('finds them too if the model fills its replies with blanks', async () => {
    expect(await finding({ schema: 'blanks' }, 'json_schema')).toBe(await finding({}, 'json_schema'))
  })

  it.each([
    ['removed', 'yes handled by the device, because the server removes the stop sequence'],
    ['ignored', 'yes handled by the device, because the server ignores stop sequences'],
    ['kept', 'yes handled by the device'],
  ] as const)('shows that a stop sequence is %s', async (stop, shown) => {
    expect(await finding({ stop }, 'stop')).toBe(shown)
  })

  it('shows whether temperature 0 gives the same answer again', async () => {
    expect(await finding({ temperatureZero: 'random' }, 'same at temperature 0')).toBe('no')
    expect(await finding({}, 'same at temperature 0')).toBe('yes')
  })

  it('shows the workaround for a missing feature', async () => {
    expect(await finding({ n: 'ignored' }, 'n')).toBe('yes one request per choice')
    expect(await finding({ tools: 'whole-only' }, 'tools')).toBe(
      'yes not in streams, so the device asks without streaming',
    )
    expect(await finding({ jsonObject: 'rejected' }, 'json_object')).toBe('yes through a schema')
  })

  it('announces no model that ignores the token limit', async () => {
    await expect(serve({ quirks: { limit: 'ignored' } })).rejects.toThrow('has no usable model')
  })
})
