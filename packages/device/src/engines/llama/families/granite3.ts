// IBM Granite 3: a JSON list of calls after a control token. Its template shows no calls. When it thinks, it also marks its answer.

import { GRANITE3_SYNTAX } from '../../formats/common-syntaxes.ts'
import type { Family } from './family.ts'

export const GRANITE3: Family = {
  name: 'Granite 3',
  has: ['<|tool_call|>', '<|start_of_role|>'],
  lacks: ['<tool_call>'],
  tools: GRANITE3_SYNTAX,
  content: { before: ['<response>'], around: ['</response>'] },
}
