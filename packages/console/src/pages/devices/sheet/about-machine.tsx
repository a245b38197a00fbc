import type { Schemas } from '../../../api/client.ts'
import { formatBytes, formatMemory, plural } from '../../../lib/format.ts'
import { Facts } from '../../../parts/text/facts.tsx'
import { RelativeTime } from '../../../parts/text/relative-time.tsx'
import { Name } from '../../../parts/text/name.tsx'
import { machineFacts, type Fact } from '../machine-facts.tsx'
import { describeBackend } from './backend.tsx'

type Device = Schemas['Device']

/** The machine itself: its hardware, its disk, its app, and who brought it here. Unknown facts are left out. */
export function AboutMachine({ device }: { device: Device }) {
  return (
    <section className="stack-small">
      <h3>Machine</h3>
      <Facts
        facts={[
          ...machineFacts(device.machine),
          ...text('Runs on', device.backend && describeBackend(device.backend)),
          ...diskFacts(device.library),
          ...text('Engine', device.engine),
          ...text('App version', device.app),
          ...text('IP address', device.address),
          ...text('Connection', device.latencyMs === null ? null : `${device.latencyMs} ms round trip`),
          ['Last seen', device.state === 'offline' ? <RelativeTime key="seen" at={device.lastSeenAt} /> : 'now'],
          ['Added', <RelativeTime key="added" at={device.createdAt} />],
          ...text('Added by', device.addedBy),
        ]}
      />
    </section>
  )
}

function diskFacts(library: Device['library']): Fact[] {
  if (library === null) return []
  const bytes = library.models.reduce((sum, model) => sum + model.bytes, 0)
  return [
    ['Models on disk', `${plural(library.models.length, 'model')}, ${formatBytes(bytes)}`],
    ['Free disk space', formatBytes(library.diskFreeBytes)],
    ['Largest model', `${formatMemory(library.memoryBytes)} of memory`],
  ]
}

function text(name: string, value: string | null): Fact[] {
  return value === null ? [] : [[name, <Name key={name} text={value} />]]
}
