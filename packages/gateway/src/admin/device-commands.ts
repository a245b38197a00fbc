import type { Command } from 'commander'
import { createEnrolmentToken } from '../access/keys.ts'
import { installLine } from '../device-app/install-line.ts'
import { findDevice } from './find.ts'
import { InputError } from './input-error.ts'
import { withGateway } from './links.ts'
import { readDuration, readName } from './read-words.ts'
import { show, table, type Terminal } from './terminal.ts'
import { group, leaf, ofOrganization, withOrganization, type CommonOptions } from './with-store.ts'

interface EnrolmentOptions extends CommonOptions {
  expiresIn: number
  gateway: string
}

const HOUR_MS = 3_600_000

export function enrolmentCommand(terminal: Terminal): Command {
  const commands = [createEnrolment(terminal), listEnrolments(terminal), revokeEnrolment(terminal)]
  return group('enrolment', 'let a device in', commands)
}

export function deviceCommand(terminal: Terminal): Command {
  const pauses = [pause(terminal, true), pause(terminal, false)]
  const commands = [list(terminal), rename(terminal), ...pauses, remove(terminal)]
  return group('device', 'list, rename, pause and remove devices', commands)
}

function createEnrolment(terminal: Terminal): Command {
  const command = leaf('create', 'make a token with which one device can join, once', [
    'enrolment create',
    'enrolment create --gateway https://hearth.acme.test --expires-in 24h',
  ])
  return withGateway(ofOrganization(command), terminal)
    .option('--expires-in <duration>', 'how long the token works (default: 1h)', readDuration, HOUR_MS)
    .action(({ expiresIn, gateway, ...options }: EnrolmentOptions) =>
      withOrganization(terminal, options, async (store, organization) => {
        const { key: token, digest } = createEnrolmentToken()
        const expiresAt = new Date(Date.now() + expiresIn)
        await store.createEnrolment({ organization: organization.id, digest, expiresAt })
        const login = `hearth-device login ${gateway} --token ${token}`
        const install = installLine(gateway, token)
        const text = `On the machine, paste:\n\n  ${install}\n\nWhere the device app is installed already:\n\n  ${login}\n\nThe token works once, until ${show(expiresAt)}, for ${organization.name}.`
        return { value: { token, expiresAt, organization: organization.id, login, install }, text }
      }),
    )
}

function listEnrolments(terminal: Terminal): Command {
  const command = leaf('list', 'tokens that can still be used', ['enrolment list'])
  return ofOrganization(command).action((options: CommonOptions) =>
    withOrganization(terminal, options, async (store, { id: organization }) => {
      const value = await store.listEnrolments({ organization, at: new Date() })
      const text = table(value, {
        ID: (enrolment) => enrolment.id,
        BY: (enrolment) => enrolment.createdByName,
        ENDS: (enrolment) => enrolment.expiresAt,
      })
      return { value, text }
    }),
  )
}

function revokeEnrolment(terminal: Terminal): Command {
  const command = leaf('revoke', 'make a token useless', ['enrolment revoke 7f3c…'])
  return ofOrganization(command)
    .argument('<id>', 'its id, as listed')
    .action((id: string, options: CommonOptions) =>
      withOrganization(terminal, options, async (store, { id: organization, name }) => {
        if (!(await store.revokeEnrolment({ organization, enrolment: id })))
          throw new InputError(`${name} has no open token "${id}". See: enrolment list`)
        return { value: { id }, text: 'The token no longer works' }
      }),
    )
}

function rename(terminal: Terminal): Command {
  const command = leaf('rename', 'give a device another name', ['device rename studio-mac "Studio, 2nd floor"'])
  return ofOrganization(command)
    .argument('<device>', 'its name or id')
    .argument('<name>', 'its new name', readName)
    .action((text: string, name: string, options: CommonOptions) =>
      withOrganization(terminal, options, async (store, organization) => {
        const device = await findDevice(store, organization, text)
        await store.changeDevice({ organization: organization.id, device: device.id, name })
        return { value: { id: device.id, name }, text: `Device ${device.name} is now ${name}` }
      }),
    )
}

function pause(terminal: Terminal, isPaused: boolean): Command {
  const [verb, told] = isPaused ? ['pause', 'gets no more jobs'] : ['resume', 'gets jobs again']
  const command = leaf(verb, `a device that ${told}, within a second`, [`device ${verb} studio-mac`])
  return ofOrganization(command)
    .argument('<device>', 'its name or id')
    .action((text: string, options: CommonOptions) =>
      withOrganization(terminal, options, async (store, organization) => {
        const device = await findDevice(store, organization, text)
        await store.changeDevice({ organization: organization.id, device: device.id, isPaused })
        return { value: { id: device.id, name: device.name, isPaused }, text: `Device ${device.name} ${told}` }
      }),
    )
}

function list(terminal: Terminal): Command {
  return ofOrganization(leaf('list', 'all devices', ['device list'])).action((options: CommonOptions) =>
    withOrganization(terminal, options, async (store, { id }) => {
      const value = await store.listDevices(id)
      const text = table(value, {
        NAME: (device) => device.name,
        'LAST SEEN': (device) => device.lastSeenAt,
        APP: (device) => device.app,
        SINCE: (device) => device.createdAt,
        ID: (device) => device.id,
      })
      return { value, text }
    }),
  )
}

function remove(terminal: Terminal): Command {
  const command = leaf('remove', 'forget a device; its link is closed within a second', ['device remove studio-mac'])
  return ofOrganization(command)
    .argument('<device>', 'its name or id')
    .action((text: string, options: CommonOptions) =>
      withOrganization(terminal, options, async (store, organization) => {
        const device = await findDevice(store, organization, text)
        await store.removeDevice({ organization: organization.id, device: device.id })
        return { value: { id: device.id, name: device.name }, text: `Device ${device.name} is removed` }
      }),
    )
}
