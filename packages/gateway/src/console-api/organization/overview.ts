import { isThisMachine } from '../../access/network/shared-address.ts'
import { reachOf } from '../../access/policy.ts'
import { installLine } from '../../device-app/install-line.ts'
import { organizationOf, ownOnly, sharedUrl, type ConsoleApp, type ConsoleParts } from '../console.ts'
import { takeInventory, type DeviceEntry, type Inventory } from '../inventory/inventory.ts'
import * as routes from '../routes/organization.ts'

/** Where hearth-seal listens on everyone's own machine, unless they choose another port. */
const SEALED_BASE_URL = 'http://127.0.0.1:8282/openai/v1'

export function addOverview(app: ConsoleApp, parts: ConsoleParts): void {
  app.openapi(routes.readOverview, async (context) => {
    const organization = organizationOf(context)
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
    const addresses = {
      baseUrl: isSealed ? SEALED_BASE_URL : `${gatewayUrl}/openai/v1`,
      isSealed,
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
