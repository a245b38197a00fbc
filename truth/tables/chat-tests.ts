// llama.cpp's chat tests: what a model writes, and what has to be read from it.

import { loadTinyModel } from '../../packages/device/src/engines/llama/testing/tiny-model.ts'
import { extractCases, type ChatCase } from '../chat/chat-cases.ts'
import { nativeFor, readCase, type ReadReply } from '../chat/read-case.ts'
import { llamaCppSource } from '../llama-cpp.ts'
import { percent, type Table } from '../table.ts'

const LEAST_SAME = 0.98
/** Each case is read this often, cut into different pieces. */
const ROUNDS = 3

type Outcome = 'same' | 'calls' | 'content' | 'leak'

interface Result {
  chat: ChatCase
  outcome: Outcome
  read: ReadReply
}

export async function chatTests(): Promise<Table> {
  const { chatTests: source, templates } = await llamaCppSource()
  const { cases, unreadable } = extractCases(source)
  const chosen = cases.filter((chat) => leftOut(chat) === undefined)
  const native = await loadTinyModel({ slots: 1, contextLength: 256 })
  const results: Result[] = []
  for (const chat of chosen) {
    const model = nativeFor(native, templates.get(chat.template)!)
    const seeds = Array.from({ length: ROUNDS }, (_, round) => round + 1)
    const rounds = await Promise.all(seeds.map(async (seed) => judge(chat, await readCase(chat, model, seeded(seed)))))
    results.push(rounds.find(({ outcome }) => outcome !== 'same') ?? rounds[0]!)
  }
  await native.dispose()
  return toTable(cases, unreadable, results)
}

/** Why a case has nothing to do with this product. */
function leftOut(chat: ChatCase): string | undefined {
  if (chat.isContinuation) return 'goes on with an unfinished reply'
  if (chat.isPartial) return 'stops inside a call or a thought, and calls are delivered complete'
  return isRaw(chat) ? 'wants the thinking in the content' : undefined
}

function isRaw({ reasoningFormat, hasReasoningFormat, expected }: ChatCase): boolean {
  return reasoningFormat === 'NONE' && (hasReasoningFormat || /think/i.test(expected.content))
}

function judge(chat: ChatCase, read: ReadReply): Result {
  const { expected } = chat
  const isLeak = thoughts(chat).some((line) => read.content.includes(line) && !expected.content.includes(line))
  if (isLeak) return { chat, read, outcome: 'leak' }
  if (describeCalls(read.calls) !== describeCalls(expected.calls)) return { chat, read, outcome: 'calls' }
  // There, blanks before a call belong to it in some templates and to the content in others, which helps nobody.
  const trim = (text: string) => (expected.calls.length > 0 ? text.trimEnd() : text)
  return { chat, read, outcome: trim(read.content) === trim(expected.content) ? 'same' : 'content' }
}

function thoughts({ expected }: ChatCase): string[] {
  return expected.reasoning
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length > 3)
}

/** Ids differ: the engine makes its own. */
function describeCalls(calls: ReadReply['calls']): string {
  return JSON.stringify(calls.map(({ name, arguments: args }) => [name, JSON.parse(args)]))
}

/** Small and repeatable, after mulberry32. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    return (((mixed ^ (mixed >>> 7)) >>> 0) % 1_000_000) / 1_000_000
  }
}

function toTable(cases: readonly ChatCase[], unreadable: number, results: readonly Result[]): Table {
  const byTemplate = Map.groupBy(results, ({ chat }) => chat.template)
  const same = results.filter(({ outcome }) => outcome === 'same').length
  const leaks = results.filter(({ outcome }) => outcome === 'leak').length
  const reasons = Map.groupBy(cases, (chat) => leftOut(chat) ?? '')
  return {
    columns: ['template', 'cases', 'same', 'calls differ', 'content differs', 'thinking leaks'],
    rows: [...[...byTemplate].map(([name, found]) => row(name, found)), row('all', results)],
    bars: [
      { claim: `all ${cases.length + unreadable} cases of the test could be extracted`, isMet: unreadable === 0 },
      {
        claim: `at least 98 % are read the same (${percent(same, results.length)})`,
        isMet: same >= results.length * LEAST_SAME,
      },
      { claim: 'no thinking leaks into the content', isMet: leaks === 0 },
    ],
    notes: [...reasons].flatMap(([reason, left]) => (reason === '' ? [] : [`left out ${left.length}: ${reason}`])),
    details: results.filter(({ outcome }) => outcome !== 'same').map(describe),
  }
}

function row(name: string, results: readonly Result[]): (string | number)[] {
  const count = (wanted: Outcome) => results.filter(({ outcome }) => outcome === wanted).length
  return [name, results.length, count('same'), count('calls'), count('content'), count('leak')]
}

function describe({ chat, read, outcome }: Result): string {
  const { content, calls } = chat.expected
  const [wanted, got] = [
    { content, calls },
    { content: read.content, calls: read.calls },
  ].map((reply) => JSON.stringify(reply))
  return `${outcome}: ${chat.template}\n    written ${JSON.stringify(chat.input)}\n    wanted  ${wanted}\n    got     ${got}`
}
