// Extracts the cases of llama.cpp's tests/test-chat.cpp: a template, what a model writes, and what has to be read from it. It runs the two
// test functions statement by statement; statements that aren't about cases are skipped.

import { readTokens, type CppToken } from './cpp-tokens.ts'
import { CppReader, Unreadable, type CppValue, type Functions, type Link } from './cpp-values.ts'

export interface CaseTool {
  name: string
  description: string
  parameters: string
}

export interface CaseMessage {
  role: string
  content: string
  reasoning: string
  calls: { name: string; arguments: string }[]
  toolCallId: string
}

export interface ChatCase {
  template: string
  input: string
  tools: CaseTool[]
  messages: CaseMessage[]
  isThinkingEnabled: boolean
  reasoningFormat: string
  /** Otherwise the test leaves it at the default. */
  hasReasoningFormat: boolean
  schema: string | undefined
  isPartial: boolean
  isContinuation: boolean
  expected: CaseMessage
}

const MAIN = 'test_template_output_peg_parsers'

export function extractCases(source: string): { cases: ChatCase[]; unreadable: number } {
  const runner = new CaseRunner(readTokens(source))
  runner.run()
  return runner
}

class CaseRunner {
  readonly cases: ChatCase[] = []
  unreadable = 0
  readonly #tokens: readonly CppToken[]
  readonly #known = new Map<string, unknown>()

  constructor(tokens: readonly CppToken[]) {
    this.#tokens = tokens
  }

  run(): void {
    const start = this.#functionBody(MAIN)
    this.#runBlock(0, start.from)
    // The first pass also went through the other test functions, without their arguments.
    this.cases.length = 0
    this.unreadable = 0
    this.#runBlock(start.from, start.to)
  }

  /** Definitions before the tests, or the statements of a block. */
  #runBlock(from: number, to: number): void {
    for (let at = from; at < to;) at = this.#statement(at, to)
  }

  #statement(at: number, to: number): number {
    const next = this.#loop(at) ?? this.#definition(at) ?? this.#chain(at) ?? this.#call(at)
    if (next !== undefined) return next
    // Anything else continues after its end, or inside its block.
    for (let end = at; end < to; end++) if (/^[;{}]$/.test(this.#mark(end))) return end + 1
    return to
  }

  /** `for (… name : { a, b }) { … }` */
  #loop(at: number): number | undefined {
    if (this.#tokens[at]?.text !== 'for') return undefined
    const colon = this.#tokens.findIndex((token, index) => index > at && token.text === ':')
    const reader = this.#reader(colon + 1)
    const values = attempt(() => reader.expression())
    if (!Array.isArray(values) || !reader.isAt(')')) return undefined
    const name = this.#tokens[colon - 1]!.text
    const end = this.#closing(reader.at + 1)
    for (const value of values) {
      this.#known.set(name, value)
      this.#runBlock(reader.at + 2, end)
    }
    return end + 1
  }

  /** `type name = value;`, `type name{ values };`, `type name;` and `name.field = value;` */
  #definition(at: number): number | undefined {
    const length = [0, 1, 2, 3, 4, 5, 6, 7].find((count) => /^[={;(]$/.test(this.#mark(at + count)))
    const name = this.#tokens[at + (length ?? 0) - 1]
    if (length === undefined || length < 2 || name?.kind !== 'name') return undefined
    if (this.#mark(at + length - 2) === '.') return this.#assignment(at, length, name.text)
    const types = this.#tokens.slice(at, at + length - 1).map(({ text }) => text)
    const value = this.#valueOf(types, at + length)
    if (value === undefined) return undefined
    this.#known.set(name.text, value.value)
    return value.end
  }

  #valueOf(types: readonly string[], at: number): { value: unknown; end: number } | undefined {
    const reader = this.#reader(this.#mark(at) === '=' ? at + 1 : at)
    if (types.includes('common_chat_msg') && this.#mark(at) === ';') return { value: message('', ''), end: at + 1 }
    if (this.#mark(at) === '(' || this.#mark(at) === ';') return undefined
    const value = attempt(() => reader.expression())
    if (value === undefined || !reader.isAt(';')) return undefined
    if (types.includes('common_chat_tool')) return { value: toTool(value), end: reader.at + 1 }
    if (types.includes('common_chat_msg') && Array.isArray(value))
      return { value: message((value as CppValue[])[1], ''), end: reader.at + 1 }
    return { value, end: reader.at + 1 }
  }

  #assignment(at: number, length: number, field: string): number | undefined {
    const target = this.#known.get(this.#tokens[at]?.text ?? '') as Record<string, unknown> | undefined
    const reader = this.#reader(at + length + 1)
    const value = attempt(() => reader.expression())
    if (typeof target !== 'object' || this.#mark(at + length) !== '=' || value === undefined) return undefined
    target[field === 'tool_call_id' ? 'toolCallId' : field] = value
    return reader.at + 1
  }

  /** `tester.test("…").tools({…}).run();` */
  #chain(at: number): number | undefined {
    const template = this.#known.get(this.#tokens[at]?.text ?? '')
    if (this.#tokens[at]?.kind !== 'name' || this.#mark(at + 1) !== '.' || this.#tokens[at + 2]?.text !== 'test')
      return undefined
    const reader = this.#reader(at + 1)
    const links = attempt(() => reader.links())
    if (links === undefined || typeof template !== 'string') this.unreadable++
    else this.cases.push(toCase(template, links))
    return links === undefined ? undefined : reader.at + 1
  }

  /** A test function with the path of a template. */
  #call(at: number): number | undefined {
    const { text: name, kind } = this.#tokens[at]!
    if (kind !== 'name' || !/^test_\w+_parser$/.test(name) || this.#mark(at + 1) !== '(') return undefined
    this.#known.set('template_path', this.#known.get(this.#tokens[at + 2]?.text ?? ''))
    const body = this.#functionBody(name)
    this.#runBlock(body.from, body.to)
    return undefined
  }

  #functionBody(name: string): { from: number; to: number } {
    const at = this.#tokens.findIndex((token, index) => token.text === name && this.#tokens[index - 1]?.text === 'void')
    const open = this.#tokens.findIndex((_, index) => index > at && this.#mark(index) === '{')
    return { from: open + 1, to: this.#closing(open) }
  }

  #closing(open: number): number {
    let depth = 0
    for (let at = open; at < this.#tokens.length; at++) {
      if (this.#mark(at) === '{') depth++
      if (this.#mark(at) === '}' && --depth === 0) return at
    }
    return this.#tokens.length
  }

  #mark(at: number): string {
    const token = this.#tokens[at]
    return token?.kind === 'mark' ? token.text : ''
  }

  #reader(at: number): CppReader {
    // `detailed_debug` is passed to every tester and changes nothing.
    const known = new Map([...this.#known, ['detailed_debug', false]])
    return new CppReader(this.#tokens, at, known, FUNCTIONS)
  }
}

function attempt<Value>(make: () => Value): Value | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

const text = (value: CppValue): string => (typeof value === 'string' ? value : '')

function message(content: CppValue, reasoning: CppValue, calls: CaseMessage['calls'] = []): CppValue {
  const made: CaseMessage = {
    role: 'assistant',
    content: text(content),
    reasoning: text(reasoning),
    calls,
    toolCallId: '',
  }
  return made as unknown as CppValue
}

const call = (name: CppValue, args: CppValue) => ({ name: text(name), arguments: text(args) })

const FUNCTIONS: Functions = {
  peg_tester: (path) => path,
  'std::string': (value) => value,
  simple_assist_msg: (content, reasoning, name, args, id) =>
    message(content, reasoning, text(name) === '' && text(id) === '' ? [] : [call(name, args)]),
  message_with_tool_calls: (name, args) => message('', '', [call(name, args)]),
  message_with_tool_calls_and_reasoning: (name, args, reasoning) => message('', reasoning, [call(name, args)]),
  message_with_reasoning_and_tool_call: (reasoning, name, args) => message('', reasoning, [call(name, args)]),
  message_with_content_and_tool_call: (content, name, args) => message(content, '', [call(name, args)]),
  message_with_reasoning_content_and_multiple_tool_calls: (reasoning, content, calls) =>
    message(content, reasoning, toCalls(calls)),
}

function toCalls(value: CppValue): CaseMessage['calls'] {
  return (value as CppValue[][]).map(([name, args]) => call(name, args))
}

function toTool(value: CppValue): CaseTool {
  if (!Array.isArray(value)) return value as unknown as CaseTool
  const [name, description, parameters] = value as CppValue[]
  return { name: text(name), description: text(description), parameters: text(parameters) }
}

function toCase(template: string, links: readonly Link[]): ChatCase {
  const last = (name: string): CppValue => links.findLast((link) => link.name === name)?.args[0]
  const given = last('expect') as unknown as CaseMessage | undefined
  const expected = given ?? (message('', '') as unknown as CaseMessage)
  return {
    template: template.replace('models/templates/', ''),
    input: text(last('test')),
    tools: ((last('tools') ?? []) as CppValue[]).map(toTool),
    messages: (last('messages') ?? []) as unknown as CaseMessage[],
    isThinkingEnabled: last('enable_thinking') !== false,
    reasoningFormat: text(last('reasoning_format')).replace('COMMON_REASONING_FORMAT_', '') || 'NONE',
    hasReasoningFormat: last('reasoning_format') !== undefined,
    schema: last('json_schema') as string | undefined,
    isPartial: last('is_partial') === true,
    isContinuation: last('continue_final_message') !== undefined,
    expected: {
      ...expected,
      content: text(last('expect_content') ?? expected.content),
      reasoning: text(last('expect_reasoning') ?? expected.reasoning),
      calls: last('expect_tool_calls') === undefined ? expected.calls : toCalls(last('expect_tool_calls')),
    },
  }
}
