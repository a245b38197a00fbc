import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '@hearth/instances'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import type { ModelEngine } from '../../engine.ts'
import { createLlamaEngine } from '../llama-engine.ts'
import { writeRandomLlama } from '../testing/random-llama.ts'
import { TINY_MODEL_PATH } from '../testing/tiny-model.ts'

const ENGINE = new URL('../llama-engine.ts', import.meta.url).href
const LIMIT_MS = 240_000
const TINY = { name: 'tiny', path: TINY_MODEL_PATH, gpu: false, threads: 1, slots: 2, contextLength: 512 } as const
const GOOD = 'What is the capital of Italy?'
const CHAT =
  '{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}<|im_start|>assistant\n'
const LOOP = '{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}'
const double = (times: number) =>
  `{% set ns = namespace(x='aaaa bbb cccccccc') %}{% for i in range(${times}) %}{% set ns.x = ns.x + ns.x %}{% endfor %}`

/** Works until a message says the word. */
const onWord = (body: string) => `{% if 'attack' in messages[-1].content %}${body}{% endif %}${CHAT}`

let engine: ModelEngine
beforeAll(async () => {
  engine = createLlamaEngine(TINY)
  await engine.start(AbortSignal.timeout(LIMIT_MS))
  return () => engine.stop()
})

async function ask(question: string, chatTemplate: string): Promise<string> {
  const job = { model: 'tiny', messages: [{ role: 'user' as const, content: question }], temperature: 0, maxTokens: 8 }
  let text = ''
  for await (const event of engine.run({ ...job, chatTemplate }, AbortSignal.timeout(LIMIT_MS), () => undefined))
    if (event.type === 'text') text += event.text
  return text
}

describe('a hostile chat template', () => {
  it.each([
    ['never ends', LOOP, /set for this model took more than 2 seconds to render\. Change it under Models/],
    ['takes all memory', double(27), /set for this model took more than 400 MB of memory to render/],
    ['writes without end', `${double(20)}{{ ns.x }}`, /set for this model wrote far more text than it was given/],
  ])('that %s fails its own request with the reason, and holds up no other', async (_what, body, reason) => {
    const template = onWord(body)
    expect(await ask(GOOD, template)).toContain('Rome')
    const order: string[] = []
    const attack = ask('attack', template).catch((error: unknown) => order.push('attack') && error)
    const other = ask(GOOD, template).then((text) => order.push('other') && text)
    expect(await other).toContain('Rome')
    expect(await attack).toMatchObject({ code: 'failed', retryable: false, message: expect.stringMatching(reason) })
    if (body === LOOP) expect(order).toEqual(['other', 'attack'])
    expect(await ask(GOOD, template)).toContain('Rome')
  })

  it('in a model’s file fails the load with the reason', async () => {
    const path = join(scratchFolder(), 'hostile.gguf')
    writeRandomLlama(path, { template: `${double(27)}${CHAT}` })
    const hostile = createLlamaEngine({ ...TINY, name: 'hostile', path })
    await expect(hostile.start(AbortSignal.timeout(LIMIT_MS))).rejects.toThrow(
      /in the model's file took more than 400 MB of memory to render\. Set another one under Models/,
    )
  })

  it('ends with the app, however the app ends', async () => {
    const path = join(scratchFolder(), 'app.mjs')
    writeFileSync(path, app(onWord(LOOP)))
    const process = spawn(globalThis.process.execPath, [path], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void process.kill('SIGKILL'))
    await once(process.stdout, 'data')
    const started = descendantsOf(process.pid!)
    expect(started.length).toBeGreaterThanOrEqual(2)
    process.kill('SIGKILL')
    await expect.poll(() => started.filter(isAlive), { interval: 100 }).toEqual([])
  })
})

/** An app that says when its template has begun to run forever. */
function app(chatTemplate: string): string {
  return `
    import { createLlamaEngine } from '${ENGINE}'
    const engine = createLlamaEngine(${JSON.stringify(TINY)})
    await engine.start(AbortSignal.timeout(${LIMIT_MS}))
    const ask = (content) => engine.run(
      { model: 'tiny', messages: [{ role: 'user', content }], maxTokens: 1, chatTemplate: ${JSON.stringify(chatTemplate)} },
      AbortSignal.timeout(${LIMIT_MS}), () => undefined)
    for await (const event of ask('Hi'));
    void ask('attack').next().catch(() => undefined)
    setTimeout(() => console.log('stuck'), 100)`
}

function descendantsOf(parent: number): number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' }).trim().split('\n')
  const processes = lines.map((line) => line.trim().split(/\s+/)).filter(([, , state]) => !state?.startsWith('Z'))
  const childrenOf = (pid: number): number[] =>
    processes.filter(([, ppid]) => Number(ppid) === pid).flatMap(([own]) => [Number(own), ...childrenOf(Number(own))])
  return childrenOf(parent)
}
