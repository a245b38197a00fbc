import { FEATURES } from '@hearth/protocol'
import { expect, it } from 'vitest'
import { countFeatures, fromMask, lacking, toMask } from './feature-mask.ts'

it('[S13] tells every feature apart', () => {
  for (const feature of FEATURES) expect(fromMask(toMask([feature]))).toEqual([feature])
  expect(fromMask(toMask(FEATURES))).toEqual([...FEATURES])
})

it('[S1] names what is wanted and not there', () => {
  const missing = lacking(toMask(['tools', 'n', 'usage']), toMask(['n', 'logprobs']))
  expect(fromMask(missing)).toEqual(['usage', 'tools'])
  expect(countFeatures(missing)).toBe(2)
})
