// llama.cpp's collection of chat templates, rendered here and by transformers, for which templates are written.

import type { Native } from '../../packages/device/src/engines/llama/native/native.ts'
import type { ChatTemplate, TemplateInput } from '../../packages/device/src/engines/llama/template/chat-template.ts'
import {
  toTemplateMessages,
  toTemplateTools,
} from '../../packages/device/src/engines/llama/template/template-messages.ts'
import { probeTraits } from '../../packages/device/src/engines/llama/template/template-traits.ts'
import { templateHere } from '../../packages/device/src/engines/llama/testing/study-here.ts'
import { loadTinyModel } from '../../packages/device/src/engines/llama/testing/tiny-model.ts'
import { nativeFor } from '../chat/read-case.ts'
import { llamaCppSource } from '../llama-cpp.ts'
import { runPython } from '../python-packages.ts'
import type { Table } from '../table.ts'
import { CONVERSATIONS, type Conversation } from '../templates/conversations.ts'

const PACKAGES = ['transformers==5.22.2', 'jinja2==3.1.6']

/** Templates that are rendered differently on purpose, or can't be compared, and why. */
const REASONS: Readonly<Record<string, string>> = {
  'meetkai-functionary-medium-v3.1.jinja':
    'Python escapes the JSON of its tool list for HTML (&#34;), which neither llama.cpp nor the model expects',
}

interface Job {
  template: string
  conversation: string
  source: string
  variables: Record<string, unknown>
  here: string | undefined
}

type Rendered = { text: string } | { error: string }
type Outcome = 'equal' | 'different' | 'throws here' | 'rejected by the template'

export async function templates(): Promise<Table> {
  const { templates: sources } = await llamaCppSource()
  const native = await loadTinyModel({ slots: 1, contextLength: 256 })
  const jobs = [...sources].flatMap(([name, source]) => jobsOf(name, source, native))
  await native.dispose()
  const there = await runPython(PACKAGES, new URL('../templates/render.py', import.meta.url), jobs)
  const results = jobs.map((job, index) => ({ job, ...compare(job, (there as Rendered[])[index]!) }))
  return toTable(results)
}

function jobsOf(template: string, source: string, native: Native): Job[] {
  const model = nativeFor(native, source)
  const chat = templateHere(model, source)
  const tokens = { bos_token: model.vocabulary.bos?.text ?? '', eos_token: model.vocabulary.eosText }
  return CONVERSATIONS.map((conversation) => {
    const input = toInput(conversation, chat)
    const variables = { ...tokens, ...input.variables, messages: input.messages, add_generation_prompt: true }
    return {
      template,
      conversation: conversation.name,
      source,
      variables: input.tools === undefined ? variables : { ...variables, tools: input.tools },
      here: chat.probe(input),
    }
  })
}

function toInput({ messages, tools, variables = {} }: Conversation, chat: ChatTemplate): TemplateInput {
  const shaped = toTemplateMessages(messages, probeTraits(chat))
  return { messages: shaped, variables, ...(tools === undefined ? {} : { tools: toTemplateTools(tools) }) }
}

function compare({ here }: Job, there: Rendered): { outcome: Outcome; note: string } {
  if ('error' in there) return { outcome: 'rejected by the template', note: there.error }
  if (here === undefined) return { outcome: 'throws here', note: '' }
  if (here === there.text) return { outcome: 'equal', note: '' }
  let at = 0
  while (here[at] === there.text[at]) at++
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 60))
  return { outcome: 'different', note: `here ${around(here)}, there ${around(there.text)}` }
}

interface Result {
  job: Job
  outcome: Outcome
  note: string
}

function toTable(results: readonly Result[]): Table {
  const count = (found: readonly Result[], wanted: Outcome) => found.filter(({ outcome }) => outcome === wanted).length
  const row = (name: string, found: readonly Result[]) => [
    name,
    found.length,
    count(found, 'equal'),
    count(found, 'different'),
    count(found, 'throws here'),
    count(found, 'rejected by the template'),
  ]
  const wrong = results.filter(({ outcome }) => outcome === 'different' || outcome === 'throws here')
  const unexplained = wrong.filter(({ job }) => REASONS[job.template] === undefined)
  return {
    columns: ['conversation', 'templates', 'equal', 'different', 'throws here', 'rejected there'],
    rows: [
      ...[...Map.groupBy(results, ({ job }) => job.conversation)].map(([name, found]) => row(name, found)),
      row('all', results),
    ],
    bars: [
      {
        claim: 'no template is rendered differently without a written reason',
        isMet: count(unexplained, 'different') === 0,
      },
      { claim: 'no template throws that transformers renders', isMet: count(unexplained, 'throws here') === 0 },
    ],
    notes: [
      ...Object.entries(REASONS).map(([name, reason]) => `${name}: ${reason}`),
      ...unexplained.map(({ job, outcome, note }) => `${outcome}: ${job.template}, ${job.conversation}: ${note}`),
    ],
    details: results
      .filter(({ outcome }) => outcome === 'rejected by the template')
      .map(({ job, note }) => `rejected: ${job.template}, ${job.conversation}: ${note}`),
  }
}
