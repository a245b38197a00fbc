// Starts a real browser: the Chromium from npm on Linux x64, and the installed Chrome elsewhere.

import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser } from 'playwright-core'
import { DEADLINE_MS } from '../../harness/deadline.ts'

/** Its `bin` folder is next to the folder with its code. */
const BUNDLED = fileURLToPath(new URL('../', import.meta.resolve('@sparticuz/chromium')))
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/hearth/chromium', import.meta.url))

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
]

// The package's own configuration looks for fonts in the wrong place.
const fontsFile = (folder: string) => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(folder, 'fonts', 'cache')}</cachedir>
  <alias binding="strong"><family>system-ui</family><prefer><family>Open Sans</family></prefer></alias>
  <alias binding="strong"><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
</fontconfig>
`

export async function launchBrowser(): Promise<Browser> {
  if (process.platform === 'linux' && process.arch === 'x64') return launchBundled()
  return chromium.launch({ channel: 'chrome', args: FLAGS, timeout: DEADLINE_MS })
}

async function launchBundled(): Promise<Browser> {
  const folder = await unpackBundled()
  return chromium.launch({
    executablePath: join(folder, 'chromium'),
    args: FLAGS,
    timeout: DEADLINE_MS,
    env: {
      ...process.env,
      // Libraries and a font that machines without a desktop lack.
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_PATH: join(folder, 'fonts'),
    },
  })
}

/** Unpacks each version once. Renaming the finished folder keeps parallel runs from using a half-unpacked one. */
async function unpackBundled(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(BUNDLED, 'package.json'), 'utf8')) as { version: string }
  const folder = join(CACHE, version)
  if (existsSync(folder)) return folder
  await mkdir(CACHE, { recursive: true })
  const unfinished = await mkdtemp(join(CACHE, 'unfinished-'))
  await unpackInto(unfinished)
  await writeFile(join(unfinished, 'fonts', 'fonts.conf'), fontsFile(folder))
  await rename(unfinished, folder).catch(async () => rm(unfinished, { recursive: true, force: true }))
  return folder
}

// The package always unpacks into the folder for temporary files.
async function unpackInto(folder: string): Promise<void> {
  const { default: bundled, inflate } = await import('@sparticuz/chromium')
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  try {
    await Promise.all([bundled.executablePath(), inflate(join(BUNDLED, 'bin', 'al2023.tar.br'))])
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}
