// Runs the examples in the documentation the way a reader would paste them: with a key in the environment, and a gateway and a device.

import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { leaveOut } from '@hearth/command-line/testing/leave-out'
import { numberedText } from '@hearth/gateway/testing'
import { FEATURES } from '@hearth/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSystem, type System } from '../harness/start-system.ts'
import { missingPython, preparePython } from '../harness/python-library.ts'
import { readPages, ROOT, type Block } from './read-pages.ts'

const run = promisify(execFile)
const RUN_MS = 150_000
const MODEL = 'smollm2-135m-instruct'
const WRITTEN_ORIGIN = 'http://127.0.0.1:8080'
const PYTHON_LIBRARY = { name: 'openai', version: '3.49.0' }
/** Below the packages, so that scripts can import their libraries. */
const SCRIPTS = join(ROOT, 'node_modules/.cache/hearth/docs')

const blocks = readPages().flatMap((page) => page.blocks.filter(({ mark }) => mark === 'run'))
const withoutPython = await missingPython(PYTHON_LIBRARY)
if (withoutPython !== undefined) leaveOut(`the Python examples in the documentation: ${withoutPython}`)

let system: System
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-docs-'))
  mkdirSync(SCRIPTS, { recursive: true })
  system = await startSystem({ devices: 'none' })
  await system.change((store, { home: organization }) => store.enableModel({ organization, name: MODEL }))
  await system.connectDevice({ models: [{ name: MODEL, slots: 4, features: [...FEATURES] }] })
})

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await system[Symbol.asyncDispose]()
})

async function runBlock({ language, text, line, page }: Block): Promise<string> {
  const code = text.replaceAll(WRITTEN_ORIGIN, system.origin)
  const options = { cwd: folder, timeout: RUN_MS, env: { ...process.env, HEARTH_API_KEY: system.keys.home } }
  const script = join(SCRIPTS, `${page.replaceAll(/\W/g, '-')}-${line}`)
  if (language === 'sh') return (await run('sh', ['-eu', '-c', code], options)).stdout
  if (language === 'js') {
    writeFileSync(`${script}.mjs`, code)
    return (await run(process.execPath, [`${script}.mjs`], options)).stdout
  }
  writeFileSync(`${script}.py`, code)
  const env = { ...options.env, PYTHONPATH: await preparePython(PYTHON_LIBRARY) }
  return (await run('python3', [`${script}.py`], { ...options, env })).stdout
}

/** The device answers with numbered text, which is recognizable however a script prints it. */
function answerIn(output: string): string {
  const pieces = [...output.matchAll(/"content":"([^"]*)"/g)].map(([, piece]) => piece)
  return pieces.length === 0 ? output : pieces.join('')
}

describe('the examples in the documentation', () => {
  const runnable = blocks.filter(({ language }) => language !== 'python' || withoutPython === undefined)
  it.each(runnable)('$page, line $line: prints an answer', async (block) => {
    expect(answerIn(await runBlock(block))).toContain(numberedText(8))
  })

  it('are more than a few', () => {
    expect(blocks.length).toBeGreaterThanOrEqual(8)
  })
})
