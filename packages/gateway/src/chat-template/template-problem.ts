// Tries a chat template that a person wants to set, before any device gets it. Devices render templates with a more complete engine, so a
// template that only this one fails on is let through: the device checks it again. The check helps the person who wrote the template. It
// protects nobody, because a template can wait for a conversation that no check tries: devices protect themselves.

import { Template } from '@huggingface/jinja'
import { randomInt } from 'node:crypto'

/** Common words, so that a template can't tell a try from a conversation of people. */
const WORDS =
  'please tell me how the old river and a small garden change when winter comes early this year again'.split(' ')
const MESSAGE_WORDS = 8

interface Tried {
  messages: readonly object[]
  /** The last message of the user. */
  asked: string
}

/** Says what is wrong, in words for the person who wrote it; undefined if nothing is. */
export function templateProblem(source: string): string | undefined {
  let template: Template
  try {
    template = new Template(source)
  } catch (error) {
    return `The template can't be parsed: ${describe(error)}`
  }
  const tries = conversations().map(({ messages, asked }) => ({ result: render(template, messages), asked }))
  const shown = tries.filter(({ result }) => typeof result === 'string')
  const isShown = ({ result, asked }: { result: string | Error; asked: string }) =>
    typeof result === 'string' && result.includes(asked)
  if (shown.length > 0) return shown.some(isShown) ? undefined : "The template leaves out the user's message"
  // A template that rejects a message says so in its own words. Other errors may be the fault of this engine.
  const own = tries
    .map(({ result }) => result)
    .find((result) => result instanceof Error && source.includes(result.message))
  return own && `The template rejects a simple message: ${describe(own)}`
}

/** Some templates have no place for a system message, and some expect content in parts. */
function conversations(): Tried[] {
  const user = () => ({ role: 'user', content: sentence() })
  const [system, reply, asked] = [sentence(), sentence(), user()]
  const parts = { role: 'user', content: [{ type: 'text', text: asked.content }] }
  const tried = [
    [{ role: 'system', content: system }, asked],
    [asked],
    [user(), { role: 'assistant', content: reply }, asked],
    [parts],
  ]
  return tried.map((messages) => ({ messages, asked: asked.content }))
}

function sentence(): string {
  return Array.from({ length: MESSAGE_WORDS }, () => WORDS[randomInt(WORDS.length)]).join(' ')
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
