import type { Command } from 'commander'
import { createEnrolmentToken } from '../access/keys.ts'
import { findDevice } from './find.ts'
import { readDuration, readGatewayUrl } from './read-words.ts'
import { show, table, type Terminal } from './terminal.ts'
import { group, leaf, ofOrganization, withOrganization, type CommonOptions } from './with-store.ts'

interface EnrolmentOptions extends CommonOptions {
  expiresIn: number
  gateway: string
}

const HOUR_MS = 3_600_000
/** Where a gateway listens when no setting says otherwise. */
const DEFAULT_GATEWAY = 'http://localhost:8080'

export function enrolmentCommand(terminal: Terminal): Command {
  return group('enrolment', 'let a device in', [createEnrolment(terminal)])
}

export function deviceCommand(terminal: Terminal): Command {
  return group('device', 'list and remove devices', [list(terminal), remove(terminal)])
}

function createEnrolment(terminal: Terminal): Command {
  const command = leaf('create', 'make a token with which one device can join, once', [
    'enrolment create',
    'enrolment create --gateway https://hearth.acme.test --expires-in 24h',
  ])
  return ofOrganization(command)
    .option('--expires-in <duration>', 'how long the token works (default: 1h)', readDuration, HOUR_MS)
    .option('--gateway <url>', 'the address at which the device finds the gateway', readGatewayUrl, DEFAULT_GATEWAY)
    .action(({ expiresIn, gateway, ...options }: EnrolmentOptions) =>
      withOrganization(terminal, options, async (store, organization) => {
        const { key: token, digest } = createEnrolmentToken()
        const expiresAt = new Date(Date.now() + expiresIn)
        await store.createEnrolment({ organization: organization.id, digest, expiresAt })
        const login = `hearth-device login ${gateway} --token ${token}`
        const text = `On the device, run:\n\n  ${login}\n\nThe token works once, until ${show(expiresAt)}, for ${organization.name}.`
        return { value: { token, expiresAt, organization: organization.id, login }, text }
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
