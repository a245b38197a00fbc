import type { Command } from 'commander'
import { createEnrolmentToken } from '../access/secrets/secrets.ts'
import { readMostDevices } from '../config.ts'
import { installLine } from '../device-app/install-line.ts'
import { findDevice } from './find.ts'
import { InputError } from './input-error.ts'
import { withGateway } from './links.ts'
import { lifetime, readName } from './read-arguments.ts'
import { show, table, type Terminal } from './terminal.ts'
import { group, leaf, ofOrganization, withOrganization, type CommonOptions } from './with-store.ts'

interface EnrolmentOptions extends CommonOptions {
  expiresIn: number
  gateway: string
}

const HOUR_MS = 3_600_000

export function enrolmentCommand(terminal: Terminal): Command {
  const commands = [createEnrolment(terminal), listEnrolments(terminal), revokeEnrolment(terminal)]
  return group('enrolment', 'create tokens that let devices join', commands)
}

export function deviceCommand(terminal: Terminal): Command {
  const pauses = [pause(terminal, true), pause(terminal, false)]
  const commands = [list(terminal), rename(terminal), ...pauses, remove(terminal)]
  return group('device', 'list, rename, pause, resume and remove devices', commands)
}

function createEnrolment(terminal: Terminal): Command {
  const command = leaf('create', 'create a token that lets one device join, once', [
    'enrolment create',
    'enrolment create --gateway https://hearth.acme.test --expires-in 24h',
  ])
  return withGateway(ofOrganization(command), terminal)
    .addOption(lifetime('how long the token works', HOUR_MS, '1h'))
    .action(({ expiresIn, gateway, ...options }: EnrolmentOptions) =>
      withOrganization(terminal, options, async (store, organization) => {
        const { key: token, digest } = createEnrolmentToken()
        const expiresAt = new Date(Date.now() + expiresIn)
        await store.createEnrolment({
          organization: organization.id,
          digest,
          expiresAt,
          most: readMostDevices(terminal.environment),
        })
        const login = `hearth-device login ${gateway} --token ${token}`
        const install = installLine(gateway, token)
        const text = `To install the device app and join ${organization.name}, run this on the machine:\n\n  ${install}\n\nIf the device app is already installed:\n\n  ${login}\n\nThe token works once, until ${show(expiresAt)}.`
        return { value: { token, expiresAt, organization: organization.id, login, install }, text }
      }),
    )
}

function listEnrolments(terminal: Terminal): Command {
  const command = leaf('list', 'list unused tokens', ['enrolment list'])
  return ofOrganization(command).action((options: CommonOptions) =>
    withOrganization(terminal, options, async (store, { id: organization }) => {
      const value = await store.listEnrolments({ organization, at: new Date() })
      const text = table(value, {
        ID: (enrolment) => enrolment.id,
        'CREATED BY': (enrolment) => enrolment.createdByName,
        EXPIRES: (enrolment) => enrolment.expiresAt,
      })
      return { value, text }
    }),
  )
}

function revokeEnrolment(terminal: Terminal): Command {
  const command = leaf('revoke', 'revoke an unused token', ['enrolment revoke 7f3c…'])
  return ofOrganization(command)
    .argument('<id>', 'id of the token, from "enrolment list"')
    .action((id: string, options: CommonOptions) =>
      withOrganization(terminal, options, async (store, { id: organization, name }) => {
        if (!(await store.revokeEnrolment({ organization, enrolment: id })))
          throw new InputError(`${name} has no unused token "${id}". See: enrolment list`)
        return { value: { id }, text: 'The token was revoked.' }
      }),
    )
}

function rename(terminal: Terminal): Command {
  const command = leaf('rename', 'rename a device', ['device rename studio-mac "Studio, 2nd floor"'])
  return ofOrganization(command)
    .argument('<device>', 'name or id of the device')
    .argument('<name>', 'the new name', readName)
    .action((text: string, name: string, options: CommonOptions) =>
      withOrganization(terminal, options, async (store, organization) => {
        const device = await findDevice(store, organization, text)
        await store.changeDevice({ organization: organization.id, device: device.id, name })
        return { value: { id: device.id, name }, text: `Device ${device.name} is now called ${name}.` }
      }),
    )
}

function pause(terminal: Terminal, isPaused: boolean): Command {
  const [verb, effect] = isPaused
    ? ['pause', 'finishes its running jobs and gets no new ones']
    : ['resume', 'gets jobs again']
  const command = leaf(verb, `${verb} a device: it ${effect}`, [`device ${verb} studio-mac`])
  return ofOrganization(command)
    .argument('<device>', 'name or id of the device')
    .action((text: string, options: CommonOptions) =>
      withOrganization(terminal, options, async (store, organization) => {
        const device = await findDevice(store, organization, text)
        await store.changeDevice({ organization: organization.id, device: device.id, isPaused })
        return { value: { id: device.id, name: device.name, isPaused }, text: `Device ${device.name} ${effect}.` }
      }),
    )
}

function list(terminal: Terminal): Command {
  return ofOrganization(leaf('list', 'list all devices', ['device list'])).action((options: CommonOptions) =>
    withOrganization(terminal, options, async (store, { id }) => {
      const value = await store.listDevices(id)
      const text = table(value, {
        NAME: (device) => device.name,
        'LAST SEEN': (device) => device.lastSeenAt,
        APP: (device) => device.app,
        JOINED: (device) => device.createdAt,
        ID: (device) => device.id,
      })
      return { value, text }
    }),
  )
}

function remove(terminal: Terminal): Command {
  const command = leaf('remove', 'remove a device and disconnect it', ['device remove studio-mac'])
  return ofOrganization(command)
    .argument('<device>', 'name or id of the device')
    .action((text: string, options: CommonOptions) =>
      withOrganization(terminal, options, async (store, organization) => {
        const device = await findDevice(store, organization, text)
        await store.removeDevice({ organization: organization.id, device: device.id })
        return {
          value: { id: device.id, name: device.name },
          text: `Device ${device.name} was removed from ${organization.name}.`,
        }
      }),
    )
}
