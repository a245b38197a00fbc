// Formats of calls that many models share, for replies of which the model's template isn't known. Bare JSON is not among them: it could as
// well be an answer.

import type { ToolSyntax } from './tool-syntax.ts'
import { GENERAL_SYNTAX } from './tool-syntax.ts'

const anywhere = (...texts: string[]) => texts.map((text) => ({ text, isOnlyFirst: false }))
const NO_QUOTES = { glue: '', stringOpen: '', stringClose: '' }

/** Qwen3-Coder, Qwen3.5, Nemotron 3. */
const FUNCTION_TAGS: ToolSyntax = {
  begin: ['<tool_call>\n<function='],
  middle: ['>\n'],
  between: ['</function>\n</tool_call>\n<tool_call>\n<function='],
  end: ['</function>\n</tool_call>'],
  tags: { keyOpen: '<parameter=', assign: '>\n', valueClose: '\n</parameter>\n', ...NO_QUOTES },
  slips: [['<function=']],
  triggers: anywhere('<tool_call>', '<function='),
}

/** GLM 4.5 and later, Ling 3. */
const KEY_VALUE_TAGS: ToolSyntax = {
  begin: ['<tool_call>'],
  middle: ['\n'],
  between: ['</tool_call>\n<tool_call>'],
  end: ['</tool_call>'],
  tags: { keyOpen: '<arg_key>', assign: '</arg_key>\n<arg_value>', valueClose: '</arg_value>\n', ...NO_QUOTES },
  triggers: anywhere('<tool_call>'),
}

const MINIMAX_M2: ToolSyntax = {
  begin: ['<minimax:tool_call>\n<invoke name="'],
  middle: ['">\n'],
  between: ['</invoke>\n<invoke name="'],
  end: ['</invoke>\n</minimax:tool_call>'],
  tags: { keyOpen: '<parameter name="', assign: '">', valueClose: '</parameter>\n', ...NO_QUOTES },
  triggers: anywhere('<minimax:tool_call>'),
}

const MISTRAL: ToolSyntax = {
  begin: ['[TOOL_CALLS]'],
  middle: ['[ARGS]'],
  between: ['[TOOL_CALLS]'],
  end: [],
  triggers: anywhere('[TOOL_CALLS]'),
}

/** Mistral's models up to 2024. */
const MISTRAL_LIST: ToolSyntax = {
  begin: ['[TOOL_CALLS][{"name": "'],
  middle: ['", "arguments": '],
  between: ['}, {"name": "'],
  end: ['}]'],
  triggers: anywhere('[TOOL_CALLS]'),
}

const KIMI_K2: ToolSyntax = {
  begin: ['<|tool_calls_section_begin|><|tool_call_begin|>functions.'],
  middle: [':', { any: 'number' }, '<|tool_call_argument_begin|>'],
  between: ['<|tool_call_end|><|tool_call_begin|>functions.'],
  end: ['<|tool_call_end|><|tool_calls_section_end|>'],
  slips: [['<|tool_call_begin|>functions.']],
  triggers: anywhere('<|tool_calls_section_begin|>', '<|tool_call_begin|>'),
}

const DEEPSEEK_V3: ToolSyntax = {
  begin: ['<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>'],
  middle: ['<｜tool▁sep｜>'],
  between: ['<｜tool▁call▁end｜><｜tool▁call▁begin｜>'],
  end: ['<｜tool▁call▁end｜><｜tool▁calls▁end｜>'],
  triggers: anywhere('<｜tool▁calls▁begin｜>'),
}

export const LFM2_SYNTAX: ToolSyntax = {
  begin: ['<|tool_call_start|>['],
  middle: ['('],
  between: ['), '],
  end: [')]<|tool_call_end|>'],
  tags: { keyOpen: '', assign: '=', valueClose: '', glue: ', ', stringOpen: '"', stringClose: '"' },
  triggers: anywhere('<|tool_call_start|>'),
}

export const GRANITE3_SYNTAX: ToolSyntax = {
  begin: ['<|tool_call|>[{"name": "'],
  middle: ['", "arguments": '],
  between: ['}, {"name": "'],
  end: ['}]'],
  triggers: anywhere('<|tool_call|>'),
}

export const COMMON_SYNTAXES: readonly ToolSyntax[] = [
  GENERAL_SYNTAX,
  FUNCTION_TAGS,
  KEY_VALUE_TAGS,
  MINIMAX_M2,
  MISTRAL_LIST,
  MISTRAL,
  KIMI_K2,
  DEEPSEEK_V3,
  LFM2_SYNTAX,
  GRANITE3_SYNTAX,
]
