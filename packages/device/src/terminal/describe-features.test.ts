import { FEATURES } from '@hearth/protocol'
import { expect, it } from 'vitest'
import { describeFeatures } from './describe-features.ts'

it('features are named in words', () => {
  expect(describeFeatures([])).toBe('basic features only')
  expect(describeFeatures(['usage', 'prefix_scope', 'resume'])).toBe('basic features only')
  expect(describeFeatures(['usage', 'tools'])).toBe('tools')
  expect(describeFeatures(['json_schema', 'tools', 'logprobs'])).toBe('JSON schemas, tools and log probabilities')
  expect(describeFeatures(FEATURES)).not.toContain('_')
})
