// A gateway that hands out a tiny device app, and an npm that installs nothing: enough to test an installation from the outside.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { delimiter, dirname, join } from 'node:path'
import { scratchFolder } from './scratch-folder.ts'
import { serveHere } from './serve-here.ts'

export async function startAppGateway() {
  const asked: string[] = []
  const files = new Map<string, Buffer>()
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const file = files.get(request.url ?? '')
    response.writeHead(file ? 200 : 404).end(file ?? '{}')
  })
  return {
    url: new URL(await serveHere(server)),
    /** The paths that were requested. */
    asked,
    /** Hands out this version from now on. */
    handOut(version: string, archive: Buffer, sha256 = hashOf(archive), release?: unknown): void {
      files.set('/device/v1/app.tgz', archive)
      files.set('/device/v1/app.json', Buffer.from(JSON.stringify({ version, sha256, bytes: archive.length, release })))
    },
    /** What devices get as the lists of their organization's seal. */
    showSeal: (lists: object) => void files.set('/device/v1/seal', Buffer.from(JSON.stringify(lists))),
  }
}

export function hashOf(archive: Buffer): string {
  return createHash('sha256').update(archive).digest('hex')
}

/** Packs these files as an npm package. */
export function makeArchive(files: Record<string, string>): Buffer {
  const folder = scratchFolder()
  for (const [path, text] of Object.entries(files)) {
    const target = join(folder, 'package', path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
  }
  const names = Object.keys(files).map((path) => `package/${path}`)
  return execFileSync('tar', ['--format=ustar', '-czf', '-', '-C', folder, ...names])
}

/** An app that prints its arguments, or fails its first test if it is broken. */
export function makeApp(says: string, { isBroken = false, version = '1.0.0' } = {}): Buffer {
  return makeArchive({
    'package.json': JSON.stringify({ type: 'module', version }),
    'src/main.js': isBroken
      ? "console.log('✗ engine: it does not compute'); process.exit(1)"
      : `console.log(${JSON.stringify(says)}, ...process.argv.slice(2))`,
  })
}

/** An environment in which npm is this shell script. */
export function withNpm(script: string): Record<string, string> {
  const folder = scratchFolder()
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, 'npm'), 0o755)
  return { PATH: [folder, process.env['PATH']].join(delimiter) }
}
