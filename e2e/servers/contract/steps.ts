// What happens to a server that runs for long: clients that leave, many at once, ends, changes of its models and keys. Each step leaves the server
// as it found it, and throws if Hearth doesn't do what it should.

import { setTimeout as wait } from 'node:timers/promises'
import { DEADLINE_MS } from '../../harness/deadline.ts'
import { kill } from '../drivers/driver.ts'
import { ask, type Reply, type Target } from './ask.ts'
import { COUNTED } from './cases.ts'
import { CONTEXT, type Served } from './served.ts'

export interface Step {
  /** The row of the table. */
  field: string
  run: (served: Served) => Promise<void>
  /** Why it can't be done with this server; undefined if it can. */
  leftOut?: (served: Served) => string | undefined
}

const COUNT = { messages: [{ role: 'user', content: 'Count from 1 to 9.' }], temperature: 0 }
const STORY = { messages: [{ role: 'user', content: 'Tell me a story.' }], temperature: 0 }
const LOOK_AGAIN_MS = 250
/** Of many at once. */
const FEW = 20
const MANY = 100

export const STEPS: readonly Step[] = [
  { field: 'too long', run: rejectsTooLong },
  { field: 'end of the context', run: endsWithContext },
  { field: 'clients that leave', run: leaves },
  { field: '20 at once', run: (served) => together(served, FEW) },
  { field: '100 at once', run: (served) => together(served, MANY) },
  { field: 'killed', run: killed },
  { field: 'started anew', run: startedAnew },
  {
    field: 'models',
    run: comeAndGo,
    leftOut: ({ server }) => (server.models ? undefined : 'one model for each start'),
  },
  { field: 'keys', run: keys, leftOut: ({ driver }) => (driver.takesKey ? undefined : 'it asks for none') },
]

async function rejectsTooLong({ hearth }: Served): Promise<void> {
  const words = 'seven '.repeat(CONTEXT * 2)
  const tools = Array.from({ length: 60 }, (_, index) => ({
    type: 'function',
    function: {
      name: `tool_${index}`,
      description: 'seven '.repeat(40),
      parameters: { type: 'object', properties: {} },
    },
  }))
  for (const isStream of [false, true]) {
    expectTooLong(await ask(hearth, { ...COUNT, messages: [{ role: 'user', content: words }] }, { isStream }))
    const reply = await ask(hearth, { ...COUNT, tools }, { isStream })
    if (reply.error?.code !== 'unsupported_by_node') expectTooLong(reply)
  }
}

function expectTooLong({ status, error }: Reply): void {
  if (error?.code !== 'context_length_exceeded')
    throw new Error(`a conversation that is too long gets ${status} ${error?.message ?? 'a reply'}`)
}

/** Prompts that leave ever less room: no reply may be longer than that. */
async function endsWithContext({ hearth }: Served): Promise<void> {
  for (const room of [60, 20, 5]) {
    const { prompt, completion } = await usageOf(hearth, await filling(hearth, CONTEXT - room))
    if (prompt + completion > CONTEXT) throw new Error(`${prompt} + ${completion} tokens in a context of ${CONTEXT}`)
  }
}

/** A request whose prompt has this many tokens, or a few less. */
async function filling(hearth: Target, tokens: number): Promise<object> {
  const filled = (count: number): object => ({
    ...STORY,
    messages: [{ role: 'system', content: 'one '.repeat(count) }, ...STORY.messages],
  })
  const [few, more] = [await usageOf(hearth, filled(10)), await usageOf(hearth, filled(110))]
  const perWord = (more.prompt - few.prompt) / 100
  return filled(10 + Math.floor((tokens - few.prompt) / perWord))
}

async function usageOf(target: Target, body: object): Promise<NonNullable<Reply['usage']>> {
  const { status, usage, error } = await ask(target, body, { isStream: false })
  if (usage === undefined) throw new Error(`status ${status} without usage: ${error?.message}`)
  return usage
}

async function leaves(served: Served): Promise<void> {
  await Promise.all(Array.from({ length: FEW }, () => leave(served.hearth)))
  expectCounted(await ask(served.hearth, COUNT, { isStream: true }))
}

async function leave(target: Target): Promise<void> {
  const left = new AbortController()
  const options = { isStream: true, signal: left.signal, onText: () => left.abort() }
  await ask(target, { ...STORY, temperature: 1 }, options).catch((error: unknown) => {
    if (!left.signal.aborted) throw error
  })
}

/** How long it takes is a matter of `bench/`. */
async function together({ hearth }: Served, count: number): Promise<void> {
  const replies = await Promise.all(Array.from({ length: count }, () => ask(hearth, COUNT, { isStream: true })))
  for (const reply of replies) expectCounted(reply)
}

function expectCounted({ status, error, choices }: Reply): void {
  const text = choices[0]?.text.trim()
  if (text !== COUNTED) throw new Error(`status ${status}: ${error?.message ?? `it says ${JSON.stringify(text)}`}`)
}

/** A request that comes while the server is down waits for it. */
async function killed(served: Served): Promise<void> {
  const cut = ask(served.hearth, STORY, { isStream: true, onText: () => void kill(served.server) })
  const { choices, error } = await cut
  if (error === undefined && choices[0]?.finish === undefined) throw new Error('a cut stream ends without a word')
  const back = served.restart()
  const waiting = ask(served.hearth, COUNT, { isStream: false })
  await back
  await until('it answers after the restart', async () => counted(served.hearth))
  await waiting
}

/** With half the context, as after an update with other settings. */
async function startedAnew(served: Served): Promise<void> {
  const long = { ...(await filling(served.hearth, CONTEXT * 0.7)), max_tokens: 1 }
  const before = await ask(served.hearth, long, { isStream: false })
  if (before.status !== 200) throw new Error(`status ${before.status}: ${before.error?.message}`)
  await served.restart({ contextLength: CONTEXT / 2 })
  await until('the shorter context counts', async () => {
    const { error } = await ask(served.hearth, long, { isStream: false })
    return error?.code === 'context_length_exceeded'
  })
  await served.restart()
  await until(
    'the longer context counts again',
    async () => (await ask(served.hearth, long, { isStream: false })).status === 200,
  )
}

/** Added, renamed and removed while everything runs. */
async function comeAndGo(served: Served): Promise<void> {
  const { add, remove } = served.server.models!
  await served.serve({ names: [served.server.model, 'second:latest', 'third:latest'] })
  await add('second')
  await until('a new model is served', async () => counted(served.through('second:latest')))
  await add('third')
  await remove('second')
  const { status, error } = await ask(served.through('second:latest'), COUNT, { isStream: false })
  if (status !== 503 && status !== 404) throw new Error(`a removed model gets ${status} ${error?.message ?? ''}`)
  await until('a renamed model is served', async () => counted(served.through('third:latest')))
  await remove('third')
  await served.serve()
}

async function keys(served: Served): Promise<void> {
  await served.device?.[Symbol.asyncDispose]()
  await served.restart({ key: 'first' })
  const device = await served.serve({ key: 'first' })
  expectCounted(await ask(served.hearth, COUNT, { isStream: false }))
  await served.restart({ key: 'second' })
  await device.heard(/key/i)
  await served.serve({ key: 'second' })
  expectCounted(await ask(served.hearth, COUNT, { isStream: false }))
  await served.restart()
  await served.serve()
}

async function counted(target: Target): Promise<boolean> {
  const { choices } = await ask(target, COUNT, { isStream: false })
  return choices[0]?.text.trim() === COUNTED
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Never seen: ${what}`)
    await wait(LOOK_AGAIN_MS)
  }
}
