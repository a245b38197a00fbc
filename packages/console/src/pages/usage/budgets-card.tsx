import { formatDateTime } from '../../lib/format.ts'
import { Name } from '../../parts/text/name.tsx'
import { BudgetLine } from '../../session/budget.tsx'
import { useRead } from '../../session/use-read.ts'

/** Beside the organization's and the key's that was asked for. */
const MOST = 5

/** Nothing if there are no budgets. */
export function BudgetsCard({ apiKey }: { apiKey: string | undefined }) {
  const { data } = useRead('/budgets')
  if (data === undefined || data.budgets.length === 0) return null
  const first = data.budgets.filter(({ holder, id }) => holder === 'organization' || id === apiKey)
  const others = data.budgets.filter((budget) => !first.includes(budget)).slice(0, MOST)
  return (
    <section className="card card-body stack" aria-label="Budgets">
      <header>
        <h2>Budgets</h2>
        <p className="text-soft text-small">
          Tokens in and out. They start again on {formatDateTime(data.startsAgain)}.
        </p>
      </header>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(15rem,1fr))] gap-x-20 gap-y-10">
        {[...first, ...others].map((budget) => (
          <li className="grid gap-3" key={budget.holder + budget.id}>
            <span>
              <span className="text-soft">{WORDS[budget.holder]}</span> <Name text={budget.name} isStrong />
            </span>
            <BudgetLine budget={budget} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const WORDS = { organization: 'Organization', member: 'Member', key: 'Key' }
