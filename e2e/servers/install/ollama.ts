// Ollama, from the Go module proxy. A module has no folders that are called vendor, so the headers that belong there come from the engine's
// sources.

import { join } from 'node:path'
import { keep } from './kept.ts'
import { keepSources } from './sources.ts'

export const OLLAMA_VERSION = '0.17.4'
const MODULE = 'github.com/ollama/ollama'

/** The path of the program. `version` is what it calls itself. */
export async function installOllama(version = OLLAMA_VERSION): Promise<string> {
  const folder = await keep(
    `ollama-${version}`,
    `export PATH="$PATH:/usr/local/go/bin" CGO_CFLAGS=-O2 CGO_CXXFLAGS=-O2
module=$(cd "$here" && go mod download -json ${MODULE}@v${OLLAMA_VERSION} | sed -n 's/.*"Dir": "\\(.*\\)".*/\\1/p')
cp -r "$module" "$here/source"
chmod -R u+w "$here/source"
headers="$here/source/llama/llama.cpp/vendor"
mkdir -p "$headers"
cp -r "$sources"/vendor/{nlohmann,miniaudio,stb} "$headers"
cd "$here/source"
nice go build -trimpath -o "$here/ollama" -ldflags '-s -w -X=${MODULE}/version.Version=${version}' .
rm -r "$here/source"`,
    { sources: await keepSources() },
  )
  return join(folder, 'ollama')
}
