// The repository's tiny model as a folder, for the servers that load no GGUF files.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TINY_PATH } from '../../harness/tiny-model.ts'
import { keep } from './kept.ts'
import { installPython } from './python.ts'

const SCRIPT = fileURLToPath(new URL('tiny-folder.py', import.meta.url))

export async function keepTinyFolder(): Promise<string> {
  const parts = [readFileSync(TINY_PATH), readFileSync(SCRIPT)]
  const print = createHash('sha256').update(Buffer.concat(parts)).digest('hex').slice(0, 8)
  const requirements = ['gguf==0.17.1', 'safetensors==0.6.2']
  const programs = await installPython({ name: 'gguf', version: '0.17.1', requirements })
  return keep(`tiny-${print}`, '"$python" "$script" "$tiny" "$here"', {
    python: join(programs, 'python'),
    script: SCRIPT,
    tiny: TINY_PATH,
  })
}
