import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../../api/client.ts'
import { formatCount, formatShort } from '../../../lib/format.ts'
import { useNow } from '../../../lib/now.ts'
import { Loaded, Skeleton } from '../../../parts/feedback/states.tsx'
import { Name } from '../../../parts/text/name.tsx'
import { useRead } from '../../../session/use-read.ts'
import { energyFigures, workFigures, type Figure } from './day-figures.ts'

type Device = Schemas['Device']
type Day = Schemas['DeviceDay']

/** As often as devices measure: the power of a machine changes all the time. */
const MEASURED_MS = 10_000

/** What the device did since midnight UTC, and the electricity it takes. */
export function Today({ device }: { device: Device }) {
  const now = useNow()
  const query = useRead('/devices/{device}/today', { device: device.id }, { refetchInterval: MEASURED_MS })
  return (
    <section className="stack-small" aria-labelledby="device-today">
      <header className="entry-head">
        <h3 id="device-today">Today</h3>
        <Link to="/usage" search={{ device: device.id }}>
          Its requests
        </Link>
      </header>
      <Loaded query={query} loading={<Skeleton lines={3} />}>
        {(day) => (
          <>
            {day.total.requests === 0 && <p className="text-soft">No requests since midnight UTC.</p>}
            <Figures figures={workFigures(day, device.slots, now)} />
            <Figures figures={energyFigures(day)} />
            {day.models.length > 1 && <ModelsToday models={day.models} />}
            {day.total.requests > 0 && <p className="text-faint text-small">Since midnight UTC, all keys together.</p>}
          </>
        )}
      </Loaded>
    </section>
  )
}

function Figures({ figures }: { figures: readonly Figure[] }) {
  if (figures.length === 0) return null
  return (
    <dl className="grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-6">
      {figures.map(({ title, value, note }) => (
        <div className="bg-sunken rounded px-8 py-6" key={title}>
          <dt className="text-soft text-small">{title}</dt>
          <dd className="tabular-nums text-heading font-strong">{value}</dd>
          {note !== undefined && <dd className="text-faint text-small">{note}</dd>}
        </div>
      ))}
    </dl>
  )
}

const NAME = 'py-3.5 font-normal text-left'
const FIGURE = 'py-3.5 pl-6 font-normal text-right tabular-nums'

function ModelsToday({ models }: Pick<Day, 'models'>) {
  return (
    <table className="w-full table-fixed border-collapse text-small">
      <caption className="sr-only">Today by model</caption>
      <thead className="text-soft">
        <tr>
          <th scope="col" className={`${NAME} w-[34%]`}>
            Model
          </th>
          {/* Its title is the longest. */}
          <th scope="col" className={`${FIGURE} w-[20%]`}>
            Requests
          </th>
          {['In', 'Out', 'Errors'].map((title) => (
            <th key={title} scope="col" className={FIGURE}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {models.map(({ name, requests, promptTokens, completionTokens, errors }) => (
          <tr key={name} className="border-t border-line">
            <th scope="row" className={NAME}>
              <Name text={name === '' ? 'Unknown model' : name} isCut />
            </th>
            <td className={FIGURE}>{formatCount(requests)}</td>
            <td className={FIGURE}>{formatShort(promptTokens)}</td>
            <td className={FIGURE}>{formatShort(completionTokens)}</td>
            <td className={FIGURE}>{formatCount(errors)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
