// Servers from Python's package index, each in a virtual environment of its own.

import { join } from 'node:path'
import { keep } from './kept.ts'

const UV_VERSION = '0.13.8'

export interface PythonServer {
  name: string
  version: string
  /** What to install; by default the package of this name and version. */
  requirements?: readonly string[]
  /** Replace what the package itself asks for. */
  overrides?: readonly string[]
  /** More lines of bash. */
  afterwards?: string
}

/** The folder with its programs. */
export async function installPython(server: PythonServer): Promise<string> {
  const { name, version, requirements = [`${name}==${version}`], overrides = [], afterwards = '' } = server
  const uv = await keep(
    `uv-${UV_VERSION}`,
    `python3 -m venv "$here" && "$here/bin/pip" install --quiet uv==${UV_VERSION}`,
  )
  const folder = await keep(
    `${name}-${version}`,
    `python3 -m venv --without-pip "$here"
printf '%s\\n' ${overrides.map((line) => `'${line}'`).join(' ')} > "$here/overrides.txt"
"$uv/bin/uv" pip install --quiet --no-cache --native-tls --python "$here/bin/python" --override "$here/overrides.txt" ${requirements.map((line) => `'${line}'`).join(' ')}
${afterwards}`,
    { uv },
  )
  return join(folder, 'bin')
}
