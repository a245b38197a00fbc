// What a gateway says about the device app it hands out.

import { DeviceError } from '../errors.ts'
import { count, isFields, text } from '../state/fields.ts'

export interface AppNotice {
  version: string
  /** Of the archive, in hexadecimal digits. */
  sha256: string
  bytes: number
}

/** Names a folder too, so nothing odd may come through here. */
const VERSION = /^\d+\.\d+\.\d+(-[\w.]+)?$/
const SHA256 = /^[0-9a-f]{64}$/

export function readNotice(json: string, gateway: URL): AppNotice {
  const fields = parse(json)
  const version = text(fields, 'version')
  const sha256 = text(fields, 'sha256')
  const bytes = count(fields, 'bytes')
  if (version === undefined || !VERSION.test(version) || sha256 === undefined || !SHA256.test(sha256) || !bytes)
    throw new DeviceError(`${gateway.href} does not hand out a device app`, 'check the address')
  return { version, sha256, bytes }
}

/** Unique among all apps, and readable: of two builds of one version the checksum tells them apart. */
export function versionName({ version, sha256 }: AppNotice): string {
  return `${version}-${sha256.slice(0, 12)}`
}

function parse(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json)
    return isFields(value) ? value : {}
  } catch {
    return {}
  }
}
