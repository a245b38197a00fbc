import { TriangleAlert } from 'lucide-react'
import type { Shapes } from '../../../api/client.ts'
import { Moment } from '../../../parts/text/moment.tsx'
import { Name } from '../../../parts/text/name.tsx'

/** Says that another machine tries to use the device's credential, and what to do in either case: a copy, or a theft. */
export function ConflictAdvice({ conflict }: { conflict: NonNullable<Shapes['Device']['conflict']> }) {
  return (
    <div className="advice">
      <TriangleAlert size={18} aria-hidden />
      <div>
        <strong>
          Another machine at <Name text={conflict.address} /> tries to use this device’s credential.
        </strong>{' '}
        Its last attempt was <Moment at={conflict.at} />. It is rejected as long as this device is connected. If it is
        yours, run hearth-device login on it to give it its own credential. If you don’t know it, or if this one is not
        yours, remove the device: the credential stops working for both. Then add your machine again.
      </div>
    </div>
  )
}
