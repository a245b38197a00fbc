// The same first request for common languages and tools, with this gateway's URL. People paste these into shells and programs, so a model
// name with special characters is never part of them.

export interface Snippet {
  name: string
  text: string
  /** Where it goes, if that is not obvious. */
  about?: string
}

interface Target {
  baseUrl: string
  model: string
}

const PLAIN = /^[\w./:@+-]+$/
const PLACEHOLDER = 'your-model'

/** The first name that needs no quoting anywhere. */
export function plainModelName(names: readonly string[]): string {
  return names.find((name) => PLAIN.test(name)) ?? PLACEHOLDER
}

export function makeSnippets(target: Target): Snippet[] {
  return [
    { name: 'curl', text: firstRequest(target) },
    { name: 'Python', text: python(target), about: 'pip install openai' },
    { name: 'TypeScript', text: typescript(target), about: 'npm install openai' },
    { name: 'AI SDK', text: aiSdk(target), about: 'npm install ai @ai-sdk/openai-compatible' },
    { name: 'LangChain', text: langchain(target), about: 'pip install langchain-openai' },
    {
      name: 'Open WebUI',
      text: openWebui(target),
      about: 'Set these in the environment of Open WebUI, or under Admin settings → Connections.',
    },
    { name: 'Continue', text: continueDev(target), about: 'Add this to ~/.continue/config.yaml.' },
    { name: 'Aider', text: aider(target) },
    {
      name: 'Other tools',
      text: other(target),
      about: 'Any tool that lets you set a base URL works with these values.',
    },
  ]
}

export function firstRequest({ baseUrl, model }: Target): string {
  return `curl ${baseUrl}/chat/completions \\
  -H "Authorization: Bearer $HEARTH_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "${model}",
    "messages": [{"role": "user", "content": "Why is the sky blue?"}]
  }'`
}

function python({ baseUrl, model }: Target): string {
  return `import os
from openai import OpenAI

client = OpenAI(base_url="${baseUrl}", api_key=os.environ["HEARTH_API_KEY"])

completion = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "Why is the sky blue?"}],
)
print(completion.choices[0].message.content)`
}

function typescript({ baseUrl, model }: Target): string {
  return `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${baseUrl}', apiKey: process.env.HEARTH_API_KEY })

const completion = await client.chat.completions.create({
  model: '${model}',
  messages: [{ role: 'user', content: 'Why is the sky blue?' }],
})
console.log(completion.choices[0]?.message.content)`
}

function aiSdk({ baseUrl, model }: Target): string {
  return `import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText } from 'ai'

const hearth = createOpenAICompatible({
  name: 'hearth',
  baseURL: '${baseUrl}',
  apiKey: process.env.HEARTH_API_KEY,
})

const { text } = await generateText({ model: hearth('${model}'), prompt: 'Why is the sky blue?' })`
}

function langchain({ baseUrl, model }: Target): string {
  return `import os
from langchain_openai import ChatOpenAI

chat = ChatOpenAI(
    base_url="${baseUrl}",
    api_key=os.environ["HEARTH_API_KEY"],
    model="${model}",
)
print(chat.invoke("Why is the sky blue?").content)`
}

function openWebui({ baseUrl }: Target): string {
  return `OPENAI_API_BASE_URL=${baseUrl}
OPENAI_API_KEY=<your key>`
}

function continueDev({ baseUrl, model }: Target): string {
  return `models:
  - name: Hearth
    provider: openai
    model: ${model}
    apiBase: ${baseUrl}
    apiKey: <your key>
    roles: [chat, edit]`
}

function aider({ baseUrl, model }: Target): string {
  return `export OPENAI_API_BASE=${baseUrl}
export OPENAI_API_KEY=$HEARTH_API_KEY
aider --model openai/${model}`
}

function other({ baseUrl, model }: Target): string {
  return `Base URL   ${baseUrl}
API key    <your key>
Model      ${model}`
}
