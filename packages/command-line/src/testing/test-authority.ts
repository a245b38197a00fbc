// A certificate authority for one test, such as a company's own: no system and no Node knows it.

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { scratchFolder } from './scratch-folder.ts'

export interface Issued {
  key: string
  cert: string
}

const DAY_MS = 86_400_000
const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
const CONFIGURATION = `[ca]
default_ca = all
[all]
database = index.txt
new_certs_dir = issued
serial = serial
default_md = sha256
policy = any
unique_subject = no
copy_extensions = copy
[any]
commonName = supplied
`

export function testAuthority() {
  const folder = scratchFolder()
  const run = (words: readonly string[]): void => void execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' })
  mkdirSync(join(folder, 'issued'))
  writeFileSync(join(folder, 'index.txt'), '')
  writeFileSync(join(folder, 'serial'), '01\n')
  writeFileSync(join(folder, 'ca.conf'), CONFIGURATION)
  run(['req', '-x509', ...CURVE, '-days', '3650', '-subj', '/CN=Company CA', '-keyout', 'ca.key', '-out', 'ca.pem'])
  return {
    /** In PEM. */
    file: join(folder, 'ca.pem'),
    certificate: readFileSync(join(folder, 'ca.pem'), 'utf8'),
    issue(names: readonly string[], { from = Date.now() - DAY_MS, until = Date.now() + DAY_MS } = {}): Issued {
      const list = names.map((name) => `${isIP(name) === 0 ? 'DNS' : 'IP'}:${name}`).join(',')
      const about = ['-subj', `/CN=${names[0]}`, '-addext', `subjectAltName=${list}`]
      run(['req', '-new', ...CURVE, ...about, '-keyout', 'its.key', '-out', 'its.csr'])
      const dates = ['-startdate', dateOf(from), '-enddate', dateOf(until)]
      const signing = ['-config', 'ca.conf', '-cert', 'ca.pem', '-keyfile', 'ca.key', '-batch', '-notext', ...dates]
      run(['ca', ...signing, '-in', 'its.csr', '-out', 'its.pem'])
      return {
        key: readFileSync(join(folder, 'its.key'), 'utf8'),
        cert: readFileSync(join(folder, 'its.pem'), 'utf8'),
      }
    },
  }
}

function dateOf(ms: number): string {
  return new Date(ms)
    .toISOString()
    .replace(/\.\d+Z/, 'Z')
    .replaceAll(/[-:T]/g, '')
}
