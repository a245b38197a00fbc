import { Name } from '../../../parts/text/name.tsx'
import type { Lane } from '../conversation/chats.ts'
import { factsOf } from '../response/assistant-turn.tsx'

/** The latest responses of the models that are compared, in figures. */
export function Comparison({ lanes }: { lanes: readonly Lane[] }) {
  const rows = lanes.flatMap(({ id, turns }) => {
    const turn = turns.findLast(({ role }) => role === 'assistant')
    return turn?.role === 'assistant' ? [{ ...turn, id }] : []
  })
  const [first] = rows
  if (!first) return null
  return (
    <table className="comparison small" aria-label="Comparison">
      <thead>
        <tr>
          <th scope="col">Model</th>
          {factsOf(first.answer).map(([name]) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, model, answer }) => (
          <tr key={id}>
            <th scope="row">
              <Name text={model} isCut />
            </th>
            {factsOf(answer).map(([name, value = '–']) => (
              <td key={name} className="numbers">
                {value}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
