// Compares a model of a local server, through a gateway and a device, with the same server asked directly: many streams at once, the time to
// the end of the last one, and the median of the times to the first token. The server runs already.
// `node bench/servers/main.ts --server http://127.0.0.1:11434 --model tiny --streams 20,100`. Only ratios within one run are meaningful.

import { parseArgs } from 'node:util'
import { replyChunks } from '../engine/reply-chunks.ts'
import { textOptions } from '../engine/text-options.ts'
import { MODEL } from '../gateway/tokens.ts'
import { median } from '../percentile.ts'
import { startHearth } from '../systems/hearth.ts'

interface Target {
  url: string
  model: string
  headers: Record<string, string>
}

interface Figures {
  endMs: number
  firstMs: number
}

const { values } = parseArgs({
  options: textOptions({ server: '', model: '', streams: '20,100', tokens: '100', rounds: '5', slots: '' }),
})
const { server, model } = values

const hearth = await startHearth({
  device: '../servers/upstream-device.ts',
  deviceSettings: { SERVER: server, SERVED: model, ...(values.slots !== '' && { SLOTS: values.slots }) },
})
try {
  const direct: Target = { url: `${server}/v1/chat/completions`, model, headers: {} }
  const through: Target = {
    url: `http://127.0.0.1:${hearth.port}${hearth.path}`,
    model: MODEL,
    headers: hearth.headers,
  }
  console.log('streams | slots | end, ms | ratio | first token, ms | ratio')
  for (const streams of values.streams.split(',').map(Number)) await compare(streams, direct, through)
} finally {
  await hearth.stop()
}
process.exit(0)

/** One row for each round, because slots are learned meanwhile, and one for their medians. */
async function compare(streams: number, direct: Target, through: Target): Promise<void> {
  const rounds: [Figures, Figures][] = []
  for (let round = 0; round < Number(values.rounds); round++) {
    rounds.push([await load(direct, streams), await load(through, streams)])
    await show(`round ${round + 1}: ${streams}`, rounds.slice(-1))
  }
  await show(`${streams}`, rounds)
}

async function show(name: string, rounds: readonly [Figures, Figures][]): Promise<void> {
  const { slots } = await hearth.report<{ slots: number }>()
  const columns = (['endMs', 'firstMs'] as const).flatMap((figure) => [
    [0, 1].map((side) => median(rounds.map((pair) => pair[side]![figure])).toFixed(0)).join(' / '),
    median(rounds.map(([one, other]) => other[figure] / one[figure])).toFixed(2),
  ])
  console.log([name, slots, ...columns].join(' | '))
}

async function load(target: Target, streams: number): Promise<Figures> {
  const begun = performance.now()
  const firsts = await Promise.all(Array.from({ length: streams }, () => ask(target)))
  return { endMs: performance.now() - begun, firstMs: median(firsts) }
}

/** The time to the first token. */
async function ask({ url, model: name, headers }: Target): Promise<number> {
  const begun = performance.now()
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({
      model: name,
      messages: [{ role: 'user', content: `${crypto.randomUUID()} Tell me about the harbour.` }],
      max_tokens: Number(values.tokens),
      temperature: 1,
      stream: true,
    }),
  })
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  let firstMs: number | undefined
  for await (const { choices } of replyChunks(response.body!))
    if (choices[0]?.delta?.content) firstMs ??= performance.now() - begun
  return firstMs ?? performance.now() - begun
}
