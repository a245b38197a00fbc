// What the engine library brings along: the sources of llama.cpp, and the libraries built from them.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { keep } from './kept.ts'

const SOURCES = new URL('../../../node_modules/node-llama-cpp/llama/', import.meta.url)
const PARTS = [
  'common',
  'ggml/include',
  'include',
  'src/llama-ext.h',
  'tools/mtmd',
  'tools/server',
  'tools/ui',
  'vendor',
]

/** Such as v0.5.0. */
export const ENGINE_VERSION = (
  JSON.parse(readFileSync(new URL('llama.cpp.info.json', SOURCES), 'utf8')) as { tag: string }
).tag

/** The folder with the parts of the sources that servers are built from. */
export async function keepSources(): Promise<string> {
  return keep(
    `llama.cpp-${ENGINE_VERSION}`,
    `git clone --quiet --bare "$bundle" "$here/git"
git --git-dir="$here/git" --work-tree="$here" checkout HEAD ${PARTS.join(' ')}
rm -r "$here/git"`,
    { bundle: fileURLToPath(new URL('gitRelease.bundle', SOURCES)) },
  )
}
