// The process that renders a model's chat templates and tokenizes what they write. A template may never end or take all memory, and tokenizing
// a long text takes seconds, both in native code that nothing can interrupt; so they run where they can be ended without ending the model, and
// hold up no step of it.

import { flushCompileCache } from 'node:module'
import { leaveSignalsToParent } from '@hearth/command-line/processes/stop-signals'
import { guardMemory } from '@hearth/command-line/program/guard-memory'
import { yieldToOthers } from '../../../system/yield-to-others.ts'
import { watchSelf } from '../../../watch/watch-self.ts'
import { EngineError } from '../../engine.ts'
import { openJinja } from '../native/jinja.ts'
import { ChatTemplate } from '../template/chat-template.ts'
import { PromptGuard, type Tokenize } from '../template/prompt-guard.ts'
import {
  GROWTH,
  LOOK_MS,
  MEMORY_BYTES,
  OWN_CHARACTERS,
  RENDER_CPU_MS,
  STUDY_CHARACTERS,
  TOKENIZE_CPU_MS,
} from './render-limits.ts'
import type { FromRenderer, OpenTemplates, RenderAnswer, RenderQuestion } from './render-messages.ts'
import { RenderedPrompt } from './rendered-prompt.ts'
import { studyTemplates, type Templates } from './study-templates.ts'
import { openTokenizer } from './tokenizer.ts'

type Rendering = Extract<RenderQuestion, { type: 'render' }>

guardMemory()
const watch = watchSelf(LOOK_MS)
yieldToOthers()

let opened: { facts: OpenTemplates; templates: Templates; guard: PromptGuard } | undefined
let tokenizer: Promise<Tokenize | undefined> | undefined
let rendered: RenderedPrompt | undefined

async function answer(message: OpenTemplates | RenderQuestion): Promise<FromRenderer> {
  if (message.type === 'open') return limited(RENDER_CPU_MS, () => open(message))
  if (opened === undefined) return { type: 'failed', failure: 'unreadable' }
  const { facts, templates, guard } = opened
  switch (message.type) {
    case 'study':
      return limited(RENDER_CPU_MS, () => study(templates, facts))
    case 'render':
      return limited(RENDER_CPU_MS, () => render(templates, guard, message))
    case 'tokenize':
      return tokenize(facts)
    default:
      return message satisfies never
  }
}

function limited<Answer>(cpuMs: number, work: () => Answer): Answer {
  watch.begin({ memoryBytes: process.memoryUsage.rss() + MEMORY_BYTES, cpuMs })
  try {
    return work()
  } finally {
    watch.end()
  }
}

function open(facts: OpenTemplates): FromRenderer {
  const { addon, sources, tokens } = facts
  try {
    const compile = openJinja(addon)
    const chat = new ChatTemplate(compile, tokens, sources.chat)
    const tools = sources.tools === undefined ? chat : new ChatTemplate(compile, tokens, sources.tools)
    opened = { facts, templates: { chat, tools }, guard: new PromptGuard(facts.guard) }
    return { type: 'open' }
  } catch {
    // The error may quote the template, which is nobody's business but its author's.
    return { type: 'failed', failure: 'unreadable' }
  }
}

function study(templates: Templates, { tokens }: OpenTemplates): RenderAnswer {
  const study = studyTemplates(templates, tokens)
  return JSON.stringify(study).length > STUDY_CHARACTERS
    ? { type: 'failed', failure: 'output' }
    : { type: 'studied', study }
}

function render(templates: Templates, guard: PromptGuard, { kind, input }: Rendering): RenderAnswer {
  try {
    rendered = new RenderedPrompt(templates[kind], guard, input)
  } catch (error) {
    if (error instanceof EngineError) return { type: 'failed', failure: 'unfitting' }
    throw error
  }
  const { length } = rendered.text
  // Counted only for a long text, because most are short.
  const isTooLong = length > OWN_CHARACTERS && length > OWN_CHARACTERS + GROWTH * JSON.stringify(input).length
  return isTooLong ? { type: 'failed', failure: 'output' } : { type: 'rendered' }
}

async function tokenize(facts: OpenTemplates): Promise<RenderAnswer> {
  const tokenize = await openVocabulary(facts)
  const prompt = rendered
  rendered = undefined
  return tokenize === undefined || prompt === undefined
    ? { type: 'failed', failure: 'vocabulary' }
    : limited(TOKENIZE_CPU_MS, () => prompt.tokenize(tokenize, facts.room))
}

/** Undefined if the file can't be read. */
function openVocabulary({ addon, model }: OpenTemplates): Promise<Tokenize | undefined> {
  tokenizer ??= openTokenizer(addon, model).catch(() => undefined)
  return tokenizer
}

async function receive(message: OpenTemplates | RenderQuestion): Promise<void> {
  process.send?.(await answer(message))
  // The engine ends this process with a signal, so it has to leave what it compiled to the next one now.
  if (message.type === 'open') flushCompileCache()
  // Reading the vocabulary takes a second, while the model warms up.
  if (message.type === 'study' && opened !== undefined) void openVocabulary(opened.facts)
}

process.on('message', (message: OpenTemplates | RenderQuestion) => void receive(message))
process.on('disconnect', () => process.exit(0))
leaveSignalsToParent()
