// Takes a device, an administrator or a program off the signed lists.

import { CommandError } from '@hearth/command-line/errors'
import { readSealText, type TrustedDevice } from '@hearth/sealing'
import { askPerson } from './ask-person.ts'
import type { Context } from './context.ts'
import { openSeal, type OpenSeal } from './open-seal.ts'
import { openSigner, signChange } from './sign-change.ts'

export async function revoke(who: string, isYes: boolean, context: Context): Promise<void> {
  const open = await openSeal(context)
  await openSigner(open, isYes, context)
  const administrator = readSealText(who)
  if (administrator?.kind === 'ha') return revokeAdministrator(administrator.publicKey, isYes, open, context)
  if (open.trusted.apps.some(({ sha256 }) => sha256 === who)) return revokeApp(who, isYes, open, context)
  const { id, name } = findListed(who, open.trusted.devices)
  if (!(await askPerson(`Revoke "${name}"?`, isYes, context))) return
  const number = await signChange(context, open, (lists) => ({
    ...lists,
    devices: lists.devices.filter((device) => device.id !== id),
  }))
  context.screen.line('good', `Revoked "${name}". This is list ${number}`)
  context.screen.line(
    'info',
    'Clients learn of it within a minute. Jobs that were sealed for it before may still run there',
  )
}

async function revokeApp(sha256: string, isYes: boolean, open: OpenSeal, context: Context): Promise<void> {
  if (!(await askPerson(`Let nobody install ${sha256} any more?`, isYes, context))) return
  const number = await signChange(context, open, (lists) => ({
    ...lists,
    apps: lists.apps.filter((app) => app.sha256 !== sha256),
  }))
  context.screen.line('good', `Took it off. This is list ${number}. Machines that run it keep running it`)
}

function findListed(who: string, devices: readonly TrustedDevice[]): TrustedDevice {
  const found = devices.filter(({ id, name }) => id === who || name === who)
  const [device] = found
  if (device === undefined)
    throw new CommandError(`No approved device is called "${who}"`, 'to see them: hearth-seal list')
  if (found.length > 1)
    throw new CommandError(`There are ${found.length} devices "${who}"`, 'name it by its ID: hearth-seal list shows it')
  return device
}

async function revokeAdministrator(key: string, isYes: boolean, open: OpenSeal, context: Context): Promise<void> {
  const known = open.trusted.administrators.find((administrator) => administrator.key === key)
  if (known === undefined) throw new CommandError('This is not an administrator', 'to see them: hearth-seal list')
  if (!(await askPerson(`Revoke the administrator ${known.name}?`, isYes, context))) return
  await signChange(context, open, (lists) => ({
    ...lists,
    administrators: lists.administrators.filter((administrator) => administrator.key !== key),
  }))
  context.screen.line('good', `${known.name} can no longer approve or revoke devices`)
  context.screen.line('info', 'Check with hearth-seal list that every approved device is one that you know')
}
