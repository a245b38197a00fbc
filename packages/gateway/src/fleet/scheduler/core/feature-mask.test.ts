import { FEATURES } from '@hearth/protocol'
import { expect, it } from 'vitest'
import { countFeatures, fromMask, lacking, toMask } from './feature-mask.ts'

it('a mask tells every feature apart', () => {
  for (const feature of FEATURES) expect(fromMask(toMask([feature]))).toEqual([feature])
  expect(fromMask(toMask(FEATURES))).toEqual([...FEATURES])
})

it('a mask lists the features that are missing', () => {
  const missing = lacking(toMask(['tools', 'n', 'usage']), toMask(['n', 'logprobs']))
  expect(fromMask(missing)).toEqual(['usage', 'tools'])
  expect(countFeatures(missing)).toBe(2)
})
