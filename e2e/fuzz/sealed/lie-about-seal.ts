// The gateway's word about the seal, changed at random.

import type { Random } from '@hearth/gateway/testing'
import { SEAL_LIES } from '../../sealed/liar/lies.ts'
import type { SealAnswer } from '../../sealed/liar/lying-gateway.ts'
import type { SealedOrganization } from '../../sealed/liar/sealed-organization.ts'
import { mutateBytes } from '../inputs/mutate-bytes.ts'
import { mutateJson } from '../inputs/mutate-json.ts'

const LIES = Object.values(SEAL_LIES)

/** The body of the answer. */
export function lieAboutSeal(truth: SealAnswer, organization: SealedOrganization, random: Random): string {
  const told = random.chance(0.5) ? random.pick(LIES)(truth, organization) : mixDocuments(truth, organization, random)
  const changed = random.chance(0.6) ? mutateJson(told, random, random.between(1, 3)) : told
  const text = typeof changed === 'string' ? changed : JSON.stringify(changed)
  return random.chance(0.8) ? text : mutateBytes(text, random, random.between(1, 3))
}

/** Everything that a gateway may have kept, in any combination, with parts of one document in another. */
function mixDocuments(truth: SealAnswer, organization: SealedOrganization, random: Random): SealAnswer {
  const { administrators, devices } = organization
  const documents = [...Object.values(administrators), ...Object.values(devices), undefined]
  const mixed = { ...random.pick(documents), ...(random.chance(0.3) && { key: random.pick(documents)?.key }) }
  return {
    ...truth,
    administrators: random.chance(0.5) ? truth['administrators'] : random.pick(documents),
    devices: random.chance(0.3) ? mixed : random.pick(documents),
  }
}
