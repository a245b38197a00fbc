// llama.cpp's sources, from the Python package that carries them: its chat templates and tests.

import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pythonSource } from './python-source.ts'

const SOURCE = 'llama-cpp-python==0.3.36'

export interface LlamaCppSource {
  chatTests: string
  /** Template sources by file name. */
  templates: ReadonlyMap<string, string>
}

export async function llamaCppSource(): Promise<LlamaCppSource> {
  const root = join(await pythonSource(SOURCE), 'vendor', 'llama.cpp')
  const folder = join(root, 'models', 'templates')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.jinja')).toSorted()
  const sources = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return {
    chatTests: await readFile(join(root, 'tests', 'test-chat.cpp'), 'utf8'),
    templates: new Map(names.map((name, index) => [name, sources[index]!])),
  }
}
