// The "model" behind the stand-in server: a few fixed answers, split into tokens. Real enough for a probe to tell a server that does what it
// is asked from one that doesn't.

import { addSchema, GrammarRules } from '@hearth/json-schema-grammar'
import { createChance, randomText } from '@hearth/json-schema-grammar/testing'
import type { JsonSchema } from '@hearth/protocol'

export interface Answer {
  reasoning: string[]
  tokens: string[]
  calls: { name: string; arguments: string }[]
}

export interface StandInMessage {
  role: string
  content?: string | null
}

/** Depends only on the user's last message. */
export function answerTo(messages: readonly StandInMessage[]): string[] {
  const last = lastQuestion(messages)
  const count = /Count from 1 to (\d+)/.exec(last)
  if (count !== null)
    return [...Array.from({ length: Number(count[1]) }, (_, at) => `${at === 0 ? '' : ' '}${at + 1}`), '.']
  const told = /Say: (.*)$/s.exec(last)?.[1]
  if (told !== undefined) return tokenise(told)
  return tokenise(`You said: ${last}`)
}

/** Splits into words with their leading space; non-ASCII characters become single tokens. */
export function tokenise(text: string): string[] {
  return text.match(/ ?[!-~]+|[^!-~]/gu) ?? []
}

export function weatherCalls(messages: readonly StandInMessage[]): Answer['calls'] {
  const cities = /weather in ([A-Z][\w ]*?)\?/.exec(lastQuestion(messages))?.[1]?.split(' and ') ?? []
  return cities.map((city) => ({ name: 'get_weather', arguments: JSON.stringify({ city }) }))
}

function lastQuestion(messages: readonly StandInMessage[]): string {
  return messages.findLast(({ role }) => role === 'user')?.content ?? ''
}

/** A text that is valid for the schema, always the same one. */
export function sampleOf(schema: JsonSchema): string {
  const rules = new GrammarRules()
  return randomText(addSchema(schema, rules), rules, createChance(1))
}
