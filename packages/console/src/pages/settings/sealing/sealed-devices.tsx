import type { Schemas } from '../../../api/client.ts'
import { SealState, sealAdvice } from '../../../parts/model/seal-state.tsx'
import type { Column } from '../../../parts/table/column.ts'
import { Table } from '../../../parts/table/table.tsx'
import { Fingerprint } from '../../../parts/text/fingerprint.tsx'
import { RelativeTime } from '../../../parts/text/relative-time.tsx'
import { Name } from '../../../parts/text/name.tsx'

type Sealing = Schemas['Sealing']
type SealedDevice = Schemas['SealedDevice']

const COLUMNS: readonly Column<SealedDevice>[] = [
  { title: 'Device', kind: 'main', sortBy: ({ name }) => name, cell: ({ name }) => <Name text={name} isStrong /> },
  { title: 'State', sortBy: ({ state }) => state, cell: ({ state }) => <SealState state={state} /> },
  {
    title: 'Fingerprint',
    cell: ({ fingerprint }) =>
      fingerprint === null ? <span className="text-faint">–</span> : <Fingerprint fingerprint={fingerprint} />,
  },
  {
    title: 'What to do',
    cell: (device) => <span className="text-soft text-small">{sealAdvice(device) ?? 'Nothing'}</span>,
  },
]

/** Every device, and whether the signed list approves it. */
export function SealedDevices({ sealing: { list, devices, administrators } }: { sealing: Sealing }) {
  return (
    <section className="stack-small my-5">
      <header>
        <h3>Devices</h3>
        <p className="text-soft">
          {list === null ? (
            'Nobody has signed a list of devices yet. hearth-seal approve does.'
          ) : (
            <>
              List {list.number}, signed <RelativeTime at={list.signedAt} />.
            </>
          )}{' '}
          {administrators.length > 0 && <Administrators administrators={administrators} />}
        </p>
      </header>
      <Table
        label="Devices and the seal"
        columns={COLUMNS}
        rows={devices}
        keyOf={({ id }) => id}
        none="Add a device first."
      />
    </section>
  )
}

function Administrators({ administrators }: Pick<Sealing, 'administrators'>) {
  return (
    <>
      The holder of the seal can sign, and{' '}
      {administrators.map(({ name, key }, index) => (
        <span key={key}>
          {index > 0 && ', '}
          <Name text={name} isStrong />
        </span>
      ))}
      .
    </>
  )
}
