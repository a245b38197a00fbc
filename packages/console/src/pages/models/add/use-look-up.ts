import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiFailure, type Schemas } from '../../../api/client.ts'
import { organizationApi, type OrganizationApi } from '../../../api/organization-api.ts'
import { useSession } from '../../../session/session.ts'
import { openMachines, type DeviceMachine } from './device-machine.ts'
import { chooseFound, type ModelChoice } from './model-choice.ts'

interface LookUpProps {
  typed: string
  known: readonly Schemas['ListedModel'][]
  /** The one that someone chooses a model for. */
  machine: DeviceMachine | undefined
  machines: readonly DeviceMachine[]
}

export interface Size {
  quant: string | undefined
  choice: ModelChoice
  /** The device takes this one unless told otherwise. */
  isUsual: boolean
}

/** Shorter words find half of the hub. */
const SHORTEST_SEARCH = 2
/** What the hub has changes slowly, and people go back and forth. */
const FRESH_MS = 60_000

/** Looks up what someone types: the chosen device asks the model hub, or another one if it can't reach it. */
export function useLookUp({ typed, known, machine, machines }: LookUpProps) {
  const { organization } = useSession()
  const source = useSettled(typed)
  const open = openMachines(machines).map(({ device }) => device.id)
  const first = machine === undefined ? [] : [machine.device.id]
  const devices = [...new Set([...first, ...open])]
  const query = useQuery({
    queryKey: [organization.id, 'look-up', source, devices[0]],
    queryFn: async ({ signal }) => lookUpOnDevices(organizationApi(organization.id, signal), source, devices),
    enabled: devices.length > 0 && source.length >= SHORTEST_SEARCH,
    staleTime: FRESH_MS,
    retry: false,
  })
  const sizes = query.data?.found == null ? [] : sizesOf(source, query.data.found, known)
  return { isSearching: source !== typed || query.isLoading, failure: query.error, hits: query.data?.hits ?? [], sizes }
}

/** The devices know the hub, the gateway doesn't: the first one that reaches it answers. */
async function lookUpOnDevices(own: OrganizationApi, source: string, devices: readonly string[]) {
  let failure: Error | undefined
  for (const device of devices)
    try {
      return await own.post('/devices/{device}/models/look-up', { device, body: { source } })
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.code !== 'hub_unreachable') throw error
      failure ??= error
    }
  const every = devices.length > 1 ? 'None of your devices can reach the model hub. ' : ''
  throw new Error(`${every}${failure?.message}`)
}

/** Long enough for the next letter, too short to wait for. */
const PAUSE_MS = 400

/** What someone typed, once they pause: the hub is not asked for every letter. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** A reference that leaves no choice means one file. */
function sizesOf(source: string, found: Schemas['FoundModel'], known: LookUpProps['known']): Size[] {
  const { quantizations } = found
  if (quantizations === null || quantizations.length === 0)
    return [{ quant: undefined, choice: chooseFound(source, found, known), isUsual: true }]
  return quantizations.map((one) => ({
    quant: one.quant,
    choice: chooseFound(one.source, { ...found, name: one.name, bytes: one.bytes }, known),
    isUsual: one.bytes === found.bytes,
  }))
}
