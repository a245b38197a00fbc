// Writes a call as code to run elsewhere. Text from people and models is quoted so that it cannot break out, and invisible characters are
// escaped.

import type { Body } from '../request/body.ts'

export interface CodeExample {
  name: string
  text: string
  /** How to install the library. */
  about?: string
}

const UNSEEN = /[\u007F-\u00A0\u00AD]|\p{Cf}|\p{Zl}|\p{Zp}|\p{Co}|\p{Cs}/gu

export function makeCode(baseUrl: string, body: Body): CodeExample[] {
  return [
    { name: 'curl', text: curl(baseUrl, body) },
    { name: 'Python', text: python(baseUrl, body), about: 'pip install openai' },
    { name: 'TypeScript', text: typescript(baseUrl, body), about: 'npm install openai' },
  ]
}

function curl(baseUrl: string, body: Body): string {
  const json = JSON.stringify(body, null, 2).replaceAll(UNSEEN, escapeUnits)
  return `curl ${body['stream'] === true ? '--no-buffer ' : ''}${baseUrl}/chat/completions \\
  -H "Authorization: Bearer $HEARTH_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d ${quoteForShell(json)}`
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function python(baseUrl: string, body: Body): string {
  const fields = Object.entries(body).map(([name, value]) => `    ${name}=${pythonValue(value, '    ')},`)
  const head = `import os
from openai import OpenAI

client = OpenAI(base_url=${pythonText(baseUrl)}, api_key=os.environ["HEARTH_API_KEY"])
`
  const call = `client.chat.completions.create(\n${fields.join('\n')}\n)`
  if (body['stream'] !== true) return `${head}\ncompletion = ${call}\nprint(completion.choices[0].message)`
  return `${head}
stream = ${call}
for chunk in stream:
    if chunk.choices:
        print(chunk.choices[0].delta.content or "", end="", flush=True)`
}

function pythonValue(value: unknown, indent: string): string {
  if (value === null) return 'None'
  if (typeof value === 'string') return pythonText(value)
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  const inner = `${indent}    `
  const items = Array.isArray(value)
    ? value.map((item) => inner + pythonValue(item, inner))
    : Object.entries(value).map(([name, item]) => `${inner}${pythonText(name)}: ${pythonValue(item, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return items.length === 0 ? `${open}${close}` : `${open}\n${items.join(',\n')},\n${indent}${close}`
}

function pythonText(text: string): string {
  return JSON.stringify(text).replaceAll(UNSEEN, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16)
    return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`
  })
}

function typescript(baseUrl: string, body: Body): string {
  const json = JSON.stringify(body, null, 2).replaceAll(UNSEEN, escapeUnits)
  // Drops the quotes around property names. Only a name starts a line and ends in a colon, because JSON strings never span lines.
  const literal = json.replaceAll(/^( +)"([a-z_]+)":/gm, '$1$2:')
  const head = `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: ${JSON.stringify(baseUrl)}, apiKey: process.env.HEARTH_API_KEY })
`
  const call = `await client.chat.completions.create(${literal})`
  if (body['stream'] !== true) return `${head}\nconst completion = ${call}\nconsole.log(completion.choices[0]?.message)`
  return `${head}
const stream = ${call}
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? '')`
}

/** Escapes UTF-16 units, as in JSON and JavaScript. */
function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const unit = character.charCodeAt(index).toString(16)
    return `\\u${unit.padStart(4, '0')}`
  }).join('')
}
