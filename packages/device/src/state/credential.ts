// This machine's login: the gateway, the device, the organization, and the secret that proves it. Only the owner can read the file.

import { CommandError } from '@hearth/command-line/errors'
import { closeToOthers } from '@hearth/command-line/files/close-to-others'
import { text, word } from '@hearth/sealing/fields'
import { readObjectFile } from '@hearth/command-line/files/read-object-file'
import { writeJson } from '@hearth/command-line/files/write-atomic'

export interface Credential {
  gateway: string
  device: string
  organization: string
  name: string
  credential: string
  /** How this machine joined: with an administrator's token, or with a code that its owner asked for. Absent in older files. */
  joinedBy?: 'token' | 'code'
}

const LOGIN_ADVICE = 'run hearth-device login <gateway-url>'

export function saveCredential(path: string, credential: Credential): void {
  writeJson(path, credential, { mode: 0o600 })
}

export function loadCredential(path: string): Credential {
  const credential = findCredential(path)
  if (credential === undefined) throw new CommandError('This machine is not logged in to a gateway', LOGIN_ADVICE)
  return credential
}

export function findCredential(path: string): Credential | undefined {
  const fields = readObjectFile(path, LOGIN_ADVICE)
  if (fields === undefined) return undefined
  closeToOthers(path)
  const read = (name: Exclude<keyof Credential, 'joinedBy'>): string => {
    const value = text(fields, name)
    if (value === undefined) throw new CommandError(`Can't read ${path}: "${name}" is missing`, LOGIN_ADVICE)
    return value
  }
  const joinedBy = word(fields, 'joinedBy', ['token', 'code'])
  return {
    gateway: read('gateway'),
    device: read('device'),
    organization: read('organization'),
    name: read('name'),
    credential: read('credential'),
    ...(joinedBy !== undefined && { joinedBy }),
  }
}
