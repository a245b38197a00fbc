// Approves devices and further administrators: a person compares fingerprints, then a new list is signed.

import { CommandError } from '@hearth/command-line/errors'
import { plural } from '@hearth/command-line/format'
import { fingerprintOf, readSealText, type TrustedDevice } from '@hearth/sealing'
import type { OnlineDevice } from '../gateway/seal-information.ts'
import { askPerson } from './ask-person.ts'
import type { Context } from './context.ts'
import { openSeal, type OpenSeal } from './open-seal.ts'
import { openSigner, signChange } from './sign-change.ts'

export interface ApproveOptions {
  /** Of an administrator. */
  name?: string
  isYes: boolean
}

type WithKey = OnlineDevice & { key: string }

export async function approve(who: string | undefined, options: ApproveOptions, context: Context): Promise<void> {
  const open = await openSeal(context)
  await openSigner(open, options.isYes, context)
  const administrator = who === undefined ? undefined : readSealText(who)
  if (administrator?.kind === 'ha') return approveAdministrator(administrator.publicKey, options, open, context)
  const candidates = who === undefined ? listNew(open) : [findNew(who, open)]
  if (candidates.length === 0) return nothingToApprove(open, context)
  const approved: WithKey[] = []
  for (const device of candidates) if (await isApproved(device, options, open, context)) approved.push(device)
  if (approved.length === 0) return context.screen.line('info', 'Nothing was approved')
  const now = Date.now()
  const number = await signChange(context, open, (lists) => ({
    ...lists,
    devices: withDevices(lists.devices, approved, now),
  }))
  context.screen.line('good', `Approved ${plural(approved.length, 'device')}. This is list ${number}`)
}

async function isApproved(device: WithKey, { isYes }: ApproveOptions, { trusted }: OpenSeal, context: Context) {
  const { screen } = context
  const { words, hex } = fingerprintOf(device.key)
  screen.line('info', `Device "${device.name}" (${device.id})`)
  if (trusted.devices.some(({ id }) => id === device.id))
    screen.line('warn', 'It was approved with another key. Approve the new one only if you know why it has changed')
  screen.line('info', `Fingerprint: ${words}`)
  screen.line('info', `             ${hex}`)
  if (!isYes) screen.line('info', 'Compare it with what hearth-device status shows on that machine')
  return askPerson('Is it the same?', isYes, context)
}

function withDevices(before: readonly TrustedDevice[], approved: readonly WithKey[], from: number): TrustedDevice[] {
  const others = before.filter(({ id }) => !approved.some((device) => device.id === id))
  return [...others, ...approved.map(({ id, name, key }) => ({ id, name, key, from }))]
}

function listNew({ information, trusted }: OpenSeal): WithKey[] {
  const isTrusted = (device: WithKey): boolean =>
    trusted.devices.some(({ id, key }) => id === device.id && key === device.key)
  return information.online.filter(hasKey).filter((device) => !isTrusted(device))
}

function findNew(who: string, { information }: OpenSeal): WithKey {
  const found = information.online.filter(({ id, name }) => id === who || name === who)
  const [device] = found
  if (device === undefined)
    throw new CommandError(
      `No device "${who}" is online`,
      'start the device app there, and check its name with hearth-seal list',
    )
  if (found.length > 1)
    throw new CommandError(`There are ${found.length} devices "${who}"`, 'name it by its ID: hearth-seal list shows it')
  if (hasKey(device)) return device
  throw new CommandError(`Device "${who}" has no key: its app is too old`, 'run hearth-device update on that machine')
}

function hasKey(device: OnlineDevice): device is WithKey {
  return device.key !== undefined
}

function nothingToApprove({ information, trusted }: OpenSeal, { screen }: Context): void {
  screen.line('good', `Nothing to approve: ${plural(trusted.devices.length, 'device')} on the list`)
  const old = information.online.filter((device) => !hasKey(device)).map(({ name }) => name)
  if (old.length > 0)
    screen.line('warn', `Too old for sealed requests: ${old.join(', ')} → run hearth-device update there`)
  screen.line('info', 'Devices that are offline are not shown: run it again when they are online')
}

async function approveAdministrator(
  key: string,
  { name, isYes }: ApproveOptions,
  open: OpenSeal,
  context: Context,
): Promise<void> {
  const { screen } = context
  const { words, hex } = fingerprintOf(key)
  screen.line('info', `Administrator ${name ?? ''}`.trimEnd())
  screen.line('info', `Fingerprint: ${words}`)
  screen.line('info', `             ${hex}`)
  if (!(await askPerson('Does the person who sent it see the same?', isYes, context))) return
  const called = name ?? words.split(' ', 2).join(' ')
  await signChange(context, open, (lists) => ({
    ...lists,
    administrators: [...lists.administrators.filter((known) => known.key !== key), { name: called, key }],
  }))
  screen.line('good', `${called} can approve and revoke devices now`)
}
