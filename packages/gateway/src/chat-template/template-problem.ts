// Tries a chat template that a person wants to set, before any device gets it. Devices render templates with a more complete engine, so a
// template that only this one fails on is let through: the device checks it again.

import { Template } from '@huggingface/jinja'

const PROBE = 'hearth-probe'
const USER = { role: 'user', content: PROBE }
const SYSTEM = { role: 'system', content: 'Answer briefly.' }
/** Some templates have no place for a system message, and some expect content in parts. */
const CONVERSATIONS = [[SYSTEM, USER], [USER], [{ role: 'user', content: [{ type: 'text', text: PROBE }] }]]

/** Says what is wrong, in words for the person who wrote it; undefined if nothing is. */
export function templateProblem(source: string): string | undefined {
  let template: Template
  try {
    template = new Template(source)
  } catch (error) {
    return `The template can't be parsed: ${describe(error)}`
  }
  const results = CONVERSATIONS.map((messages) => render(template, messages))
  if (results.some((result) => typeof result === 'string' && result.includes(PROBE))) return undefined
  if (results.some((result) => typeof result === 'string')) return "The template leaves out the user's message"
  // A template that rejects a message says so in its own words. Other errors may be the fault of this engine.
  const own = results.find((result) => result instanceof Error && source.includes(result.message))
  return own && `The template rejects a simple message: ${describe(own)}`
}

function render(template: Template, messages: readonly object[]): string | Error {
  try {
    return template.render({ messages, add_generation_prompt: true, bos_token: '', eos_token: '', tools: null })
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
