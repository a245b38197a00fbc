import { installLine } from '../../device-app/install-line.ts'
import { ApiError } from '../../errors.ts'
import {
  actorOf,
  organizationOf,
  ownOnly,
  sharedUrl,
  takeEffect,
  type ConsoleApp,
  type ConsoleParts,
} from '../console.ts'
import * as routes from '../routes/organization.ts'
import { takeInventory, type DeviceEntry, type Inventory } from '../inventory/inventory.ts'
import { reachOf } from '../../access/policy.ts'
import { isThisMachine } from '../../access/network/shared-address.ts'

export function addOrganization(app: ConsoleApp, parts: ConsoleParts): void {
  const { store } = parts

  app.openapi(routes.createOrganization, async (context) => {
    if (!parts.peopleMakeOrganizations)
      throw new ApiError('not_permitted', 'Only the operator of this gateway can create organizations.')
    const { person } = context.get('session')
    const { name } = context.req.valid('json')
    const created = await store.createOrganization({ name, owner: { person: person.id }, by: actorOf(context) })
    return context.json({ ...created, createdAt: created.createdAt.toISOString(), role: 'owner' as const }, 200)
  })

  app.openapi(routes.readOrganization, (context) => {
    const { organization, role } = context.get('membership')
    return context.json({ ...organization, createdAt: organization.createdAt.toISOString(), role }, 200)
  })

  app.openapi(routes.changeOrganization, async (context) => {
    const { name, separatesPrefixes } = context.req.valid('json')
    const change = { organization: organizationOf(context), by: actorOf(context) }
    if (name !== undefined) await store.renameOrganization({ ...change, name })
    if (separatesPrefixes !== undefined) {
      await store.changePrefixReuse({ ...change, separatesPrefixes })
      await takeEffect(parts)
    }
    return context.body(null, 204)
  })

  app.openapi(routes.readOverview, async (context) => {
    const organization = organizationOf(context)
    const { role } = context.get('membership')
    const own =
      reachOf(role, 'keys.read') === 'own' ? { createdBy: context.get('session').person.id } : ownOnly(context)
    const [inventory, keys, members] = await Promise.all([
      takeInventory(parts, organization),
      store.pageKeys({ organization, ...own, sort: 'created', isDescending: true, offset: 0, limit: 1 }),
      store.listMembers(organization),
    ])
    const gatewayUrl = sharedUrl(parts, context)
    const addresses = {
      baseUrl: `${gatewayUrl}/openai/v1`,
      gatewayUrl,
      installCommand: installLine(gatewayUrl),
      isLocalOnly: isThisMachine(new URL(gatewayUrl).hostname),
    }
    return context.json({ ...addresses, members: members.length, ...summarize(inventory, keys.counts.active) }, 200)
  })
}

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
