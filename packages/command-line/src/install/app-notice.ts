// The gateway's description of a program that it hands out.

import { count, parseFields, text } from '@hearth/sealing/fields'
import { CommandError } from '../errors.ts'

export interface AppNotice {
  version: string
  /** Checksum of the archive, in hex. */
  sha256: string
  bytes: number
  /** The project's signature, if it is a release: unchecked. */
  release?: unknown
}

/** Strict, because the version also names a folder. */
const VERSION = /^\d+\.\d+\.\d+(-[\w.]+)?$/
const SHA256 = /^[0-9a-f]{64}$/

export function readNotice(json: string, gateway: URL, title: string): AppNotice {
  const fields = parseFields(json) ?? {}
  const version = text(fields, 'version')
  const sha256 = text(fields, 'sha256')
  const bytes = count(fields, 'bytes')
  if (version === undefined || !VERSION.test(version) || sha256 === undefined || !SHA256.test(sha256) || !bytes)
    throw new CommandError(`${gateway.href} doesn't offer the ${title}`, 'check the address')
  const { release } = fields
  return { version, sha256, bytes, ...(release !== undefined && { release }) }
}

/** Unique and readable: the checksum tells two builds of the same version apart. */
export function versionName({ version, sha256 }: AppNotice): string {
  return `${version}-${sha256.slice(0, 12)}`
}
