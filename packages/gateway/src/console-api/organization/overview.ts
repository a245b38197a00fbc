// The overview of an organization: what it has and what is missing.

import { z } from '@hono/zod-openapi'
import { isThisMachine } from '../../access/network/shared-address.ts'
import { reachOf } from '../../access/policy.ts'
import { installLine } from '../../device-app/install-line.ts'
import { ownOnly, sharedUrl } from '../console.ts'
import { takeInventory, type DeviceEntry, type Inventory } from '../inventory/inventory.ts'
import { json, routesOf } from '../routes/route.ts'
import { count, object } from '../routes/shapes.ts'

const route = routesOf('Organization')

/** Where hearth-seal listens on everyone's own machine, unless they choose another port. */
const SEALED_BASE_URL = 'http://127.0.0.1:8282/openai/v1'

const overview = object('Overview', {
  baseUrl: z
    .string()
    .openapi({ description: 'The base URL for API clients', example: 'https://hearth.example/openai/v1' }),
  isSealed: z
    .boolean()
    .describe('Whether that is the base URL of hearth-seal, because the gateway takes only sealed requests'),
  gatewayUrl: z.string().openapi({ description: 'The URL for devices', example: 'https://hearth.example' }),
  installCommand: z
    .string()
    .describe('The command that adds a machine as a device once someone approves the code it shows'),
  isLocalOnly: z.boolean().describe('Whether these URLs work only on the machine that the gateway runs on'),
  devices: z.object({ total: count, linked: count }),
  models: z.object({ enabled: count, served: count, offered: count }),
  keys: z.object({ active: count.describe('How many active keys you can see') }),
  members: count,
  load: z.object({ running: count, queued: count, slots: count }),
  missing: z
    .array(z.enum(['device', 'model', 'key']))
    .describe('What you still have to add before a request can be answered, in this order'),
})

export const readOverview = route('get', '/organizations/{organization}/overview', {
  access: 'organization.read',
  summary: 'Get an overview of the organization and of what is missing',
  responses: json('The overview', overview),
  async handle(parts, context, { organization }) {
    const { role } = context.get('membership')
    const own =
      reachOf(role, 'keys.read') === 'own' ? { createdBy: context.get('session').person.id } : ownOnly(context)
    const [inventory, keys, members, sealing] = await Promise.all([
      takeInventory(parts, organization),
      parts.store.pageKeys({ organization, ...own, sort: 'created', isDescending: true, offset: 0, limit: 1 }),
      parts.store.listMembers(organization),
      parts.store.readSealing(organization),
    ])
    const gatewayUrl = sharedUrl(parts, context)
    const isSealed = sealing?.mode === 'required'
    return {
      baseUrl: isSealed ? SEALED_BASE_URL : `${gatewayUrl}/openai/v1`,
      isSealed,
      gatewayUrl,
      installCommand: installLine(gatewayUrl),
      isLocalOnly: isThisMachine(new URL(gatewayUrl).hostname),
      members: members.length,
      ...summarize(inventory, keys.counts.active),
    }
  },
})

function takesJobs({ state, isPaused }: DeviceEntry): boolean {
  return state === 'linked' && !isPaused
}

function summarize({ devices, models, load }: Inventory, activeKeys: number) {
  const enabled = models.filter(({ state }) => state === 'enabled')
  return {
    devices: { total: devices.length, linked: devices.filter(({ state }) => state !== 'offline').length },
    models: {
      enabled: enabled.length,
      served: enabled.filter(({ devices: having }) => having.some(({ device }) => takesJobs(device))).length,
      offered: models.filter(({ state }) => state === 'offered').length,
    },
    keys: { active: activeKeys },
    load,
    missing: [
      ...(devices.length === 0 ? ['device' as const] : []),
      ...(enabled.length === 0 ? ['model' as const] : []),
      ...(activeKeys === 0 ? ['key' as const] : []),
    ],
  }
}
