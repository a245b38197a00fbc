// The process that renders a model's chat templates. A template may never end or take all memory, in native code that nothing can interrupt,
// so it runs where it can be ended without ending the model.

import { flushCompileCache } from 'node:module'
import { yieldToOthers } from '../../../system/yield-to-others.ts'
import { watchSelf } from '../../../watch/watch-self.ts'
import { EngineError } from '../../engine.ts'
import { openJinja } from '../native/jinja.ts'
import { ChatTemplate, type TemplateInput } from '../template/chat-template.ts'
import { GROWTH, LOOK_MS, MEMORY_BYTES, OWN_CHARACTERS, RENDER_CPU_MS, STUDY_CHARACTERS } from './render-limits.ts'
import type { FromRenderer, OpenTemplates, RenderAnswer, RenderQuestion } from './render-messages.ts'
import { studyTemplates, type Templates, type TokenTexts } from './study-templates.ts'

const watch = watchSelf(LOOK_MS)
yieldToOthers()

let opened: { templates: Templates; tokens: TokenTexts } | undefined

function open({ addon, sources, tokens }: OpenTemplates): FromRenderer {
  try {
    const compile = openJinja(addon)
    const chat = new ChatTemplate(compile, tokens, sources.chat)
    const tools = sources.tools === undefined ? chat : new ChatTemplate(compile, tokens, sources.tools)
    opened = { templates: { chat, tools }, tokens }
    return { type: 'open' }
  } catch {
    // The error may quote the template, which is nobody's business but its author's.
    return { type: 'failed', failure: 'unreadable' }
  }
}

function answer(question: RenderQuestion): RenderAnswer {
  if (opened === undefined) return { type: 'failed', failure: 'unreadable' }
  const { templates, tokens } = opened
  if (question.type === 'study') {
    const study = studyTemplates(templates, tokens)
    return JSON.stringify(study).length > STUDY_CHARACTERS
      ? { type: 'failed', failure: 'output' }
      : { type: 'studied', study }
  }
  return render(templates[question.kind], question.input)
}

function render(template: ChatTemplate, input: TemplateInput): RenderAnswer {
  const text = tryRender(template, input)
  if (text === undefined) return { type: 'failed', failure: 'unfitting' }
  // Counted only for a long text, because most are short.
  const isTooLong = text.length > OWN_CHARACTERS && text.length > OWN_CHARACTERS + GROWTH * JSON.stringify(input).length
  return isTooLong ? { type: 'failed', failure: 'output' } : { type: 'rendered', text }
}

function tryRender(template: ChatTemplate, input: TemplateInput): string | undefined {
  try {
    return template.render(input)
  } catch (error) {
    if (error instanceof EngineError) return undefined
    throw error
  }
}

function work(message: OpenTemplates | RenderQuestion): FromRenderer {
  watch.begin({ memoryBytes: process.memoryUsage.rss() + MEMORY_BYTES, cpuMs: RENDER_CPU_MS })
  try {
    return message.type === 'open' ? open(message) : answer(message)
  } finally {
    watch.end()
  }
}

process.on('message', (message: OpenTemplates | RenderQuestion) => {
  process.send?.(work(message))
  // The engine ends this process with a signal, so it has to leave what it compiled to the next one now.
  if (message.type === 'open') flushCompileCache()
})
process.on('disconnect', () => process.exit(0))
// The engine decides when this process ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
