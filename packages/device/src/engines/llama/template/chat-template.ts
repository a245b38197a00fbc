// Renders the model's own chat template. llama.cpp's renderer comes first; the few templates it can't handle go to a second one.

import { Template } from '@huggingface/jinja'
import { EngineError } from '../../engine.ts'
import type { CompileTemplate } from '../native/jinja.ts'
import {
  toSingleCalls,
  toStrictMessages,
  withNamedTypes,
  type TemplateMessage,
  type TemplateTool,
} from './template-messages.ts'
import { printAsText } from './print-as-text.ts'

/** For model files without a template. */
const PLAIN_TEMPLATE = `{%- for message in messages -%}
{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|im_start|>assistant\\n' -}}{%- endif -%}`

export interface TemplateInput {
  messages: readonly TemplateMessage[]
  tools?: readonly TemplateTool[]
  /** Variables that some templates read: enable_thinking, reasoning_effort. */
  variables?: Readonly<Record<string, unknown>>
  /** By default the prompt ends where the assistant's reply begins. */
  isComplete?: boolean
}

type Render = (variables: Record<string, unknown>) => string

export class ChatTemplate {
  /** The text of the template, for searching it. */
  readonly source: string
  readonly #renders: readonly Render[]
  readonly #tokens: { bos_token: string; eos_token: string }

  constructor(compile: CompileTemplate, tokens: { bos: string; eos: string }, source: string | undefined) {
    this.source = source ?? PLAIN_TEMPLATE
    this.#renders = [
      () => compile(printAsText(this.source)),
      () => compile(this.source),
      () => compileInJavaScript(this.source),
    ].flatMap(attempt)
    if (this.#renders.length === 0) throw new EngineError('failed', "Can't read the model's chat template")
    this.#tokens = { bos_token: tokens.bos, eos_token: tokens.eos }
  }

  render(input: TemplateInput): string {
    const inTurns = withMessages(input, toStrictMessages(input.messages))
    const oneByOne = () => withMessages(inTurns, toSingleCalls(inTurns.messages))
    return this.probe(input) ?? this.probe(inTurns) ?? this.probe(oneByOne()) ?? fail()
  }

  /** Renders the messages exactly as given; undefined if the template rejects them. */
  probe(input: TemplateInput): string | undefined {
    const { tools = [] } = input
    return this.#renderWith(input, tools) ?? this.#renderWith(input, tools.map(withNamedTypes))
  }

  #renderWith(
    { messages, variables = {}, isComplete = false }: TemplateInput,
    tools: readonly TemplateTool[],
  ): string | undefined {
    const all = {
      ...this.#tokens,
      ...variables,
      messages,
      add_generation_prompt: !isComplete,
      ...(tools.length === 0 ? {} : { tools }),
    }
    for (const render of this.#renders) {
      const [text] = attempt(() => render(all))
      if (text !== undefined) return text
    }
    return undefined
  }
}

function compileInJavaScript(source: string): Render {
  const template = new Template(source)
  return (variables) => template.render(variables)
}

/** Templates reject messages by throwing. The error doesn't help the caller and may quote the messages. */
function attempt<Value>(make: () => Value): [Value] | [] {
  try {
    return [make()]
  } catch {
    return []
  }
}

function withMessages(input: TemplateInput, messages: readonly TemplateMessage[]): TemplateInput {
  return { ...input, messages }
}

function fail(): never {
  throw new EngineError('failed', "The model's chat template can't express these messages")
}
