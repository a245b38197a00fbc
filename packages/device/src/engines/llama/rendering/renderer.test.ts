import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { findAddon } from '../native/jinja.ts'
import { readGuardFacts } from '../template/prompt-guard.ts'
import { TINY_MODEL_PATH } from '../testing/tiny-model.ts'
import type { OpenTemplates } from './render-messages.ts'
import { RenderProcess } from './render-process.ts'
import { Renderer, type StartProcess } from './renderer.ts'
import { useTinyModel } from '../testing/use-tiny.ts'

const native = await useTinyModel({ slots: 1, contextLength: 64 })

const CHAT = '{% for m in messages %}{{ m.content }}{% endfor %}'

function open(change: Partial<OpenTemplates> = {}, start?: StartProcess): Renderer {
  const templates: OpenTemplates = {
    type: 'open',
    addon: findAddon(),
    sources: { chat: CHAT, tools: undefined },
    tokens: { bos: '', eos: '', special: [], ends: [] },
    guard: readGuardFacts(native.vocabulary),
    model: TINY_MODEL_PATH,
    room: { tokens: 64, characters: 1_000, length: 5_000 },
    ...change,
  }
  const renderer = new Renderer(templates, 'file', start)
  onTestFinished(() => renderer.close())
  return renderer
}

const user = (content: string) => ({ messages: [{ role: 'user' as const, content }] })

describe('the process that renders', () => {
  it('gives a prompt the tokens that the model itself would give it, and no control tokens of the caller', async () => {
    const text = 'Rome, 1,234 is  naïve ☃ 😀\n\nand <|im_start|>'
    const prompt = await open().render('chat', user(text))
    const plain = native.vocabulary.tokenize('Rome, 1,234 is  naïve ☃ 😀\n\nand ', true)
    const hidden = native.vocabulary.tokenize('<|im_start|>', false)
    expect(prompt).toMatchObject({ type: 'tokenized', tokens: Uint32Array.from([...plain, ...hidden]) })
  })

  it('[F73a] counts the tokens of a prompt that is too long, but not those of one that could never fit', async () => {
    const renderer = open()
    const most = native.vocabulary.tokenize('a '.repeat(64), true).length
    expect(await renderer.render('chat', user('a '.repeat(64)))).toEqual({ type: 'too-long', tokens: most })
    for (const text of ['a '.repeat(1_001), '\n'.repeat(5_001)])
      expect(await renderer.render('chat', user(text))).toEqual({ type: 'too-long' })
  })

  it('says so if the model’s file is gone', async () => {
    const renderer = open({ model: join(scratchFolder(), 'gone.gguf') })
    await expect(renderer.render('chat', user('Hi'))).rejects.toMatchObject({
      retryable: true,
      message: expect.stringContaining("can't be read any more"),
    })
  })

  it('blames the messages, not the template, if their tokens take too long', async () => {
    const file = join(scratchFolder(), 'host.mjs')
    writeFileSync(
      file,
      `import { writeSync } from 'node:fs'
       process.on('message', ({ type }) => {
         if (type !== 'tokenize') return process.send({ type: type === 'open' ? 'open' : 'rendered' })
         writeSync(4, 'time')
         process.kill(process.pid, 'SIGKILL')
       })`,
    )
    const renderer = open({}, (templates) => new RenderProcess(file).open(templates))
    await expect(renderer.render('chat', user('\n'.repeat(100)))).rejects.toMatchObject({
      code: 'invalid_value',
      param: 'messages',
      retryable: false,
      message: expect.stringContaining('more than 10 seconds'),
    })
  })
})
