import { Link } from '@tanstack/react-router'
import type { Shapes } from '../../../api/client.ts'
import { deviceDay } from '../../../api/queries/devices.ts'
import { formatCount, formatShort } from '../../../lib/format.ts'
import { useNow } from '../../../lib/now.ts'
import { Loaded, Waiting } from '../../../parts/feedback/states.tsx'
import { Name } from '../../../parts/text/name.tsx'
import { useRead } from '../../../session/use-read.ts'
import { energyFigures, workFigures, type Figure } from './day-figures.ts'
import '../devices.css'

type Device = Shapes['Device']
type Day = Shapes['DeviceDay']

/** What the device did since midnight UTC, and the electricity it takes. */
export function Today({ device }: { device: Device }) {
  const query = useRead(deviceDay, device.id)
  return (
    <section className="stack-small" aria-labelledby="device-today">
      <header className="entry-head">
        <h3 id="device-today">Today</h3>
        <Link to="/usage" search={{ device: device.id }}>
          Its requests
        </Link>
      </header>
      <Loaded query={query} waiting={<Waiting lines={3} />}>
        {(day) => <DayView day={day} slots={device.slots} />}
      </Loaded>
    </section>
  )
}

function DayView({ day, slots }: { day: Day; slots: number }) {
  const work = workFigures(day, slots, useNow())
  return (
    <>
      {day.total.requests === 0 && <p className="soft">No requests since midnight UTC.</p>}
      <Figures figures={work} />
      <Figures figures={energyFigures(day)} />
      {day.models.length > 1 && <ModelsToday models={day.models} />}
      {day.total.requests > 0 && <p className="faint small">Since midnight UTC, all keys together.</p>}
    </>
  )
}

function Figures({ figures }: { figures: readonly Figure[] }) {
  if (figures.length === 0) return null
  return (
    <dl className="device-figures">
      {figures.map(({ title, value, note }) => (
        <div key={title}>
          <dt className="soft small">{title}</dt>
          <dd className="device-figure numbers">{value}</dd>
          {note !== undefined && <dd className="faint small">{note}</dd>}
        </div>
      ))}
    </dl>
  )
}

function ModelsToday({ models }: Pick<Day, 'models'>) {
  return (
    <table className="device-day-models">
      <caption className="unseen">Today by model</caption>
      <thead>
        <tr>
          <th scope="col">Model</th>
          <th scope="col">Requests</th>
          <th scope="col">In</th>
          <th scope="col">Out</th>
          <th scope="col">Errors</th>
        </tr>
      </thead>
      <tbody>
        {models.map(({ name, requests, promptTokens, completionTokens, errors }) => (
          <tr key={name}>
            <th scope="row">
              <Name text={name === '' ? 'Unknown model' : name} isCut />
            </th>
            <td className="numbers">{formatCount(requests)}</td>
            <td className="numbers">{formatShort(promptTokens)}</td>
            <td className="numbers">{formatShort(completionTokens)}</td>
            <td className="numbers">{formatCount(errors)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
