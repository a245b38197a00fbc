// Every kind of reply that another device has to continue, for the tiny model and the starter model: at temperature 0, and long enough
// that something can happen in the middle.

import { z } from 'zod'
import { TINY_PATH } from '../../harness/tiny-model.ts'

export interface TestedModel {
  name: 'tiny' | 'starter'
  path: string
  /** Its end tokens and the like. Banned where a reply would be over too soon. */
  controls: readonly number[]
  /** The tokens with a closing brace. Banned where a JSON object would be over too soon. */
  braces: readonly number[]
  /** How long a text is to last about as long as with the other model. */
  tokens: number
}

export interface Kind {
  name: string
  isStream: boolean
  body: object
  /** Throws unless the text is what the request asked for. */
  check: (text: string) => void
}

/** The last of its control tokens ends thinking. */
const TINY_CONTROLS = [735, 736, 737, 738, 739, 740, 741]
const TINY_BRACES = [125, 269, 304, 334, 357, 359, 360, 478]
const STARTER_BRACES = [
  109, 4029, 4548, 6150, 6663, 7950, 8148, 15009, 15201, 16124, 17243, 17859, 17984, 18206, 18292, 19181, 19526, 19747,
  20039, 20685, 21692, 21770, 21924, 23597, 23817, 23964, 24362, 24885, 25027, 26629, 27688, 27852, 28370, 28586, 28852,
  29394, 30000, 30856, 31845, 32790, 32938, 37078, 37581, 38310, 38894, 39949, 40343, 41217, 41322, 41466, 41541, 41824,
  43144, 43331, 46389, 46845, 48312, 48781,
]

export const TINY: TestedModel = {
  name: 'tiny',
  path: TINY_PATH,
  controls: TINY_CONTROLS,
  braces: TINY_BRACES,
  tokens: 600,
}

/** The file that the device app downloads if it is started without a model. */
export function starterModel(path = process.env['HEARTH_STARTER_GGUF']): TestedModel | undefined {
  return path === undefined
    ? undefined
    : { name: 'starter', path, controls: [0, 2], braces: STARTER_BRACES, tokens: 120 }
}

const Person = z.strictObject({ name: z.string().max(12), age: z.int(), isHome: z.boolean() })
const GREETING = 'こんにちは、世界 🙂 – schöne Grüße 👩‍👩‍👧'
const anything = () => undefined

/** In each, the model's most likely words would end too soon, so a schema or a ban on its end tokens makes it write more. */
export function listKinds(model: TestedModel): Kind[] {
  const { tokens, controls } = model
  const people = Math.ceil(tokens / 35)
  const People = z.strictObject({ people: z.array(Person).min(people).max(people) })
  const greetings = Math.ceil(tokens / 90)
  const Greetings = z.array(z.literal(GREETING)).min(greetings).max(greetings)
  const Cities = z.strictObject({
    cities: z
      .array(z.string().max(8))
      .min(2 * people)
      .max(2 * people),
  })
  const ask = (content: string, rest: object = {}) => ({
    model: model.name,
    messages: [{ role: 'user', content }],
    temperature: 0,
    max_tokens: tokens,
    ...rest,
  })
  const without = (banned: readonly number[]) => ({
    logit_bias: Object.fromEntries(banned.map((token) => [token, -100])),
  })
  const endless = without(controls)
  const free = { max_tokens: Math.min(4 * tokens, 1_800) }
  const tool = { type: 'function', function: { name: 'get_weather', parameters: z.toJSONSchema(Cities) } }
  const kinds: [string, object, (text: string) => void][] = [
    ['text', ask('Tell me a story.', endless), anything],
    ['penalties', ask('Tell me a story.', { ...endless, frequency_penalty: 0.4, presence_penalty: 0.2 }), anything],
    [
      'json_object',
      ask('Describe Ada, 36, as JSON.', { ...without(model.braces), response_format: { type: 'json_object' } }),
      anything,
    ],
    ['json_schema', ask('Describe Ada, 36, as JSON.', { ...free, ...schema(People) }), matches(People)],
    ['multi-byte', ask('Say hi in Japanese.', { ...free, ...schema(Greetings) }), matches(Greetings)],
    ['tools', ask('What is the weather in Oslo?', { ...free, tools: [tool] }), anything],
    ['n = 3', ask('Tell me a story.', { ...endless, n: 3, max_tokens: Math.ceil(tokens / 2) }), anything],
    ['n = 8', ask('Tell me a story.', { ...endless, n: 8, max_tokens: Math.ceil(tokens / 4) }), anything],
    ['logprobs', ask('Tell me a story.', { ...endless, logprobs: true, top_logprobs: 2 }), anything],
    ...(model.name === 'tiny' ? thinking(ask, without) : []),
  ]
  const streams = kinds.map(([name, body, check]) => ({
    name,
    isStream: true,
    body: { ...body, stream_options: { include_usage: true } },
    check,
  }))
  const wholes = kinds
    .filter(([name]) => name === 'text' || name === 'json_schema' || name === 'n = 3')
    .map(([name, body, check]) => ({ name: `whole ${name}`, isStream: false, body, check }))
  return [...streams, ...wholes]
}

/** A short thought and a long reply, and a thought without an end. */
function thinking(ask: (content: string, rest: object) => object, without: (banned: readonly number[]) => object) {
  const question = 'What is the capital of France?'
  const effort = { reasoning_effort: 'high' }
  const isText = (text: string) => matches(z.string().min(100))(JSON.stringify(text))
  const isEmpty = (text: string) => matches(z.literal(''))(JSON.stringify(text))
  return [
    ['reasoning', ask(question, { ...effort, ...without(TINY_CONTROLS.slice(0, -1)) }), isText],
    ['only thoughts', ask(question, { ...effort, ...without(TINY_CONTROLS) }), isEmpty],
  ] as [string, object, (text: string) => void][]
}

/** The same request with a stop sequence from its text: long enough that a seam falls into it. */
export function withStop(kind: Kind, text: string): Kind {
  const stop = text.slice(Math.floor(text.length * 0.3)).match(WHOLE_CHARACTERS)?.[0] ?? text.slice(0, STOP_LENGTH)
  return { ...kind, name: 'stop', body: { ...kind.body, stop: [stop] }, check: (found) => endsWith(found, stop) }
}

const STOP_LENGTH = 200
/** Bytes that are no characters can't be asked for. */
const WHOLE_CHARACTERS = /[^\uFFFD\p{Surrogate}]{200}/u

function schema(type: z.ZodType): object {
  const { $schema: _, ...plain } = z.toJSONSchema(type)
  return { response_format: { type: 'json_schema', json_schema: { name: 'reply', schema: plain } } }
}

function matches(type: z.ZodType): (text: string) => void {
  return (text) => void type.parse(JSON.parse(text))
}

function endsWith(text: string, stop: string): void {
  if (!text.endsWith(stop)) throw new Error('The text does not end with the stop sequence')
}
