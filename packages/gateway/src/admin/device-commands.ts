import { createEnrolmentToken } from '../access/secrets/secrets.ts'
import { readMostDevices } from '../config.ts'
import { installLine } from '../device-app/install-line.ts'
import { findDevice } from './find.ts'
import { GATEWAY, gatewayUrlOf } from './links.ts'
import { commandsAbout } from './verbs/command-about.ts'
import { listCommand } from './verbs/list-command.ts'
import { lifetime, readName } from './read-arguments.ts'
import { revokeCommand } from './verbs/revoke-command.ts'
import { formatCell } from './terminal.ts'
import { organizationCommand, type AdminCommand, type CommonOptions } from './with-store.ts'

interface EnrolmentOptions extends CommonOptions {
  expiresIn: number
  gateway?: string
}

const HOUR_MS = 3_600_000

export const ENROLMENT: AdminCommand = {
  name: 'enrolment',
  summary: 'create tokens that let devices join',
  commands: [
    organizationCommand({
      name: 'create',
      summary: 'create a token that lets one device join, once',
      examples: ['enrolment create', 'enrolment create --gateway https://hearth.acme.test --expires-in 24h'],
      options: [GATEWAY, lifetime('how long the token works', HOUR_MS, '1h')],
      async run({ store, organization: { id: organization, name }, world }, options: EnrolmentOptions) {
        const gateway = gatewayUrlOf(world, options)
        const { key: token, digest } = createEnrolmentToken()
        const expiresAt = new Date(Date.now() + options.expiresIn)
        await store.createEnrolment({ organization, digest, expiresAt, most: readMostDevices(world.environment) })
        const login = `hearth-device login ${gateway} --token ${token}`
        const install = installLine(gateway, token)
        const text = `To install the device app and join ${name}, run this on the machine:\n\n  ${install}\n\nIf the device app is already installed:\n\n  ${login}\n\nThe token works once, until ${formatCell(expiresAt)}.`
        return { value: { token, expiresAt, organization, login, install }, text }
      },
    }),
    listCommand(
      'enrolment list',
      'list unused tokens',
      ({ store, organization: { id } }) => store.listEnrolments({ organization: id, at: new Date() }),
      { ID: 'id', 'CREATED BY': 'createdByName', EXPIRES: 'expiresAt' },
    ),
    revokeCommand({
      example: 'enrolment revoke 7f3c…',
      thing: 'token',
      revoke: async ({ store, organization: { id: organization } }, enrolment) =>
        store.revokeEnrolment({ organization, enrolment }),
    }),
  ],
}

const deviceCommand = commandsAbout(['<device>', 'name or id of the device'], findDevice)

export const DEVICE: AdminCommand = {
  name: 'device',
  summary: 'list, rename, pause, resume and remove devices',
  commands: [
    listCommand('device list', 'list all devices', ({ store, organization: { id } }) => store.listDevices(id), {
      NAME: 'name',
      'LAST SEEN': 'lastSeenAt',
      APP: 'app',
      JOINED: 'createdAt',
      ID: 'id',
    }),
    deviceCommand({
      name: 'rename',
      summary: 'rename a device',
      examples: ['device rename studio-mac "Studio, 2nd floor"'],
      arguments: [['<name>', 'the new name', readName]],
      async run({ store, organization }, device, _: object, name: string) {
        await store.changeDevice({ organization: organization.id, device: device.id, name })
        return { value: { id: device.id, name }, text: `Device ${device.name} is now called ${name}.` }
      },
    }),
    pausing(true),
    pausing(false),
    deviceCommand({
      name: 'remove',
      summary: 'remove a device and disconnect it',
      examples: ['device remove studio-mac'],
      async run({ store, organization }, { id, name }) {
        await store.removeDevice({ organization: organization.id, device: id })
        return { value: { id, name }, text: `Device ${name} was removed from ${organization.name}.` }
      },
    }),
  ],
}

function pausing(isPaused: boolean): AdminCommand {
  const [verb, effect] = isPaused
    ? ['pause', 'finishes its running jobs and gets no new ones']
    : ['resume', 'gets jobs again']
  return deviceCommand({
    name: verb,
    summary: `${verb} a device: it ${effect}`,
    examples: [`device ${verb} studio-mac`],
    async run({ store, organization }, { id, name }) {
      await store.changeDevice({ organization: organization.id, device: id, isPaused })
      return { value: { id, name, isPaused }, text: `Device ${name} ${effect}.` }
    },
  })
}
