// What guesses bring: tokens per second without and with them, and of llama-server with its own (LLAMA_SERVER), in turns, on models that
// recite given texts. `node bench/engine/guessing/main.ts --size 1b --threads 2` takes the vocabulary from HEARTH_STARTER_GGUF.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { getLlama } from 'node-llama-cpp'
import { median } from '../../percentile.ts'
import { startHearth } from '../hearth.ts'
import { inTurns } from '../in-turns.ts'
import { startLlamaServer } from '../llama-server.ts'
import type { System, SystemOptions } from '../system.ts'
import { textOptions } from '../text-options.ts'
import { placeTexts, type RecitedCase, type Recital } from './place-texts.ts'
import { recitedTexts } from './recited-texts.ts'
import { SIZES, writeRecitingModel, type RecitingModel } from './reciting-model.ts'

const { values } = parseArgs({
  options: {
    gpu: { type: 'string' },
    ...textOptions({ size: 'small', threads: '1', streams: '1', rounds: '3', tokens: '800' }),
    ...textOptions({ texts: 'new text,JSON,quote,edit', servers: 'none,ngram-simple,ngram-mod' }),
  },
})
const tokenizer = process.env['HEARTH_STARTER_GGUF']
if (tokenizer === undefined) throw new Error('Set HEARTH_STARTER_GGUF to a model file')
const size = Object.entries(SIZES).find(([name]) => name === values.size)?.[1]
if (size === undefined) throw new Error(`--size is one of ${Object.keys(SIZES).join(', ')}`)

/** A reply at temperature 0 has to be the same each time, which forbids most guesses on a CPU. */
const TEMPERATURE = 1
const streams = values.streams.split(',').map(Number)
const folder = mkdtempSync(join(tmpdir(), 'hearth-bench-'))
const recital = await placeRecited(tokenizer)
const recited: RecitingModel = { tokenizer, size, tokens: recital.tokens, contextLength: 8192 }
const options: SystemOptions = {
  model: join(folder, 'model.gguf'),
  threads: Number(values.threads),
  slots: Math.max(...streams),
  contextLength: recited.contextLength,
  ...(values.gpu === undefined ? {} : { gpu: values.gpu as 'cuda' | 'vulkan' | 'metal' }),
}
const systems: System[] = []
try {
  writeRecitingModel(options.model, recited)
  await startSystems()
  console.log(['text, streams', ...systems.map(({ name }) => name), 'ratios to the first'].join(' | '))
  for (const one of recital.cases.filter(({ name }) => values.texts.split(',').includes(name)))
    for (const count of streams) console.log(await compare(one, count))
} finally {
  for (const system of systems) await system.stop()
  rmSync(folder, { recursive: true })
}
process.exit(0)

async function placeRecited(modelPath: string): Promise<Recital> {
  const llama = await getLlama({ gpu: false, build: 'never', skipDownload: true, logger: () => undefined })
  const vocabulary = await llama.loadModel({ modelPath, vocabOnly: true })
  const placed = placeTexts(recitedTexts(), (text) => vocabulary.tokenize(text), Number(values.tokens))
  await llama.dispose()
  return placed
}

async function startSystems(): Promise<void> {
  systems.push({ ...(await startHearth({ ...options, guessing: 'never' })), name: 'no guesses' })
  systems.push({ ...(await startHearth(options)), name: 'guesses' })
  systems.push({ ...(await startHearth({ ...options, key: 'one' })), name: 'guesses, same key' })
  const server = process.env['LLAMA_SERVER']
  if (server === undefined) return
  for (const kind of values.servers.split(','))
    systems.push(await startLlamaServer(server, options, kind === 'none' ? [] : ['--spec-type', kind]))
}

/** One row: the medians of the rounds, and the medians of their ratios. Prompts are read before. */
async function compare(one: RecitedCase, count: number): Promise<string> {
  for (const system of systems) await recite(system, { ...one, replyTokens: 2 }, count)
  const rounds = await inTurns(systems, Number(values.rounds), (system) => recite(system, one, count))
  const figures = systems.map((_, index) => median(rounds.map((round) => round[index]!)).toFixed(1))
  const ratios = systems.slice(1).map((_, index) => median(rounds.map((round) => round[index + 1]! / round[0]!)))
  return [`${one.name}, ${count}`, ...figures, ratios.map((ratio) => ratio.toFixed(2)).join(', ')].join(' | ')
}

/** Tokens per second of all streams together, from the first token of each on. */
async function recite(system: System, one: RecitedCase, count: number): Promise<number> {
  const rates = await Promise.all(Array.from({ length: count }, () => reciteOnce(system, one)))
  return rates.reduce((sum, rate) => sum + rate, 0)
}

async function reciteOnce(system: System, { name, prompt, reply, replyTokens }: RecitedCase): Promise<number> {
  let [text, first] = ['', 0]
  const onToken = (at: number, piece: string): void => {
    first ||= at
    text += piece
  }
  const messages = [{ role: 'user' as const, content: prompt }]
  await system.answer({ messages, tokens: replyTokens, onToken, temperature: TEMPERATURE })
  const ended = performance.now()
  // A character that was cut off is a replacement character.
  if (!reply.startsWith(text.replace(/\uFFFD+$/, ''))) throw new Error(`${system.name} changed “${name}”: ${text}`)
  return ((replyTokens - 1) / (ended - first)) * 1000
}
