// Liquid LFM2 and LFM2.5: calls as in Python, in a list. Some of their templates show no calls at all.

import { LFM2_SYNTAX } from '../../formats/common-syntaxes.ts'
import type { Family } from './family.ts'

export const LFM2: Family = {
  name: 'LFM2',
  has: ['List of tools: ', '<|im_start|>'],
  tools: LFM2_SYNTAX,
}
