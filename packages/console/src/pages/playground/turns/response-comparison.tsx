import { Name } from '../../../parts/text/name.tsx'
import type { ChatColumn } from '../conversation/chats.ts'
import { factsOf } from '../response/answer-facts.ts'

const CELL = 'py-1.5 pr-5 font-normal text-start align-top'

/** The latest responses of the models that are compared, in figures. */
export function ResponseComparison({ columns }: { columns: readonly ChatColumn[] }) {
  const rows = columns.flatMap(({ id, turns }) => {
    const turn = turns.findLast(({ role }) => role === 'assistant')
    return turn?.role === 'assistant' ? [{ ...turn, id }] : []
  })
  const [first] = rows
  if (!first) return null
  return (
    <table className="text-small w-full table-fixed" aria-label="Comparison">
      <thead className="text-soft">
        <tr>
          <th scope="col" className={CELL}>
            Model
          </th>
          {factsOf(first.answer).map(([name]) => (
            <th key={name} scope="col" className={CELL}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, model, answer }) => (
          <tr key={id}>
            <th scope="row" className={CELL}>
              <Name text={model} isCut />
            </th>
            {factsOf(answer).map(([name, value = '–']) => (
              <td key={name} className={`${CELL} tabular-nums`}>
                {value}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
