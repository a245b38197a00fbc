// llama-server, from the sources and libraries of the engine library.

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { keep } from './kept.ts'
import { ENGINE_VERSION, keepSources } from './sources.ts'

const MACHINE = `linux-${process.arch}`
const ENGINE = `../../../node_modules/@node-llama-cpp/${MACHINE}/bins/${MACHINE}`
const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The path of the program. */
export async function installLlamaServer(): Promise<string> {
  const folder = await keep(
    `llama-server-${ENGINE_VERSION}`,
    `cp "$engine"/lib*.so "$here"
ln -s "$sources" "$here/source"
cd "$here"
mkdir objects
# Without its page.
for part in h cpp; do
  sed -e 's/@N_ASSETS@/0/g' -e 's/@USE_GZIP@/false/' -e '/^@ASSET/d' -e '/^#cmakedefine/d' "source/tools/ui/ui.$part.in" > "objects/ui.$part"
done
nice make --silent --jobs "$(nproc)" --makefile "$recipe"
rm -r objects source`,
    { engine: pathOf(ENGINE), sources: await keepSources(), recipe: pathOf('llama-server.mk') },
  )
  return join(folder, 'llama-server')
}
