import { useQuery } from '@tanstack/react-query'
import type { Shapes } from '../../../api/client.ts'
import { sealing as sealingQuery } from '../../../api/queries/sealing.ts'
import { SealState, sealAdvice } from '../../../parts/model/seal-state.tsx'
import { Facts } from '../../../parts/text/facts.tsx'
import { Fingerprint } from '../../../parts/text/fingerprint.tsx'
import { useSession } from '../../../session/session.ts'

/** Whether the device can open sealed requests, and the fingerprint of its key. Shown once the organization has a seal. */
export function SealedRequests({ device }: { device: Shapes['Device'] }) {
  const { organization } = useSession()
  const { data } = useQuery(sealingQuery(organization.id))
  const found = data?.devices.find(({ id }) => id === device.id)
  if (!data?.seal || !found) return null
  const advice = sealAdvice(found)
  return (
    <section className="stack-small">
      <h3>Sealed requests</h3>
      <Facts
        facts={[
          ['Seal', <SealState key="state" state={found.state} />],
          ...(found.fingerprint
            ? [['Fingerprint', <Fingerprint key="key" fingerprint={found.fingerprint} />] as const]
            : []),
        ]}
      />
      {advice !== undefined && <p className="soft small">{advice}</p>}
    </section>
  )
}
