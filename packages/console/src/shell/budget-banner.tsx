import { Link } from '@tanstack/react-router'
import { Gauge } from 'lucide-react'
import { useSession } from '../session/session.ts'
import type { Schemas } from '../api/client.ts'
import { Banner } from '../parts/feedback/note.tsx'
import { formatDateTime, formatShort } from '../lib/format.ts'
import { showOddCharacters } from '../lib/odd-characters.ts'
import { useRead } from '../session/use-read.ts'

/** From here on the console says how much of a budget is used. Responses of the API have it in a header. */
const WARN_SHARE = 0.8

export function BudgetBanner() {
  const { me } = useSession()
  const { data } = useRead('/budgets')
  const near = data?.budgets.filter(({ used, tokens }) => used >= tokens * WARN_SHARE) ?? []
  const [first] = near
  return (
    <div role="status">
      {data && first && (
        <Banner icon={Gauge}>
          <span>
            {describeBudget(first, me.person.id)}{' '}
            {first.used >= first.tokens && `Requests get a 429 until ${formatDateTime(data.startsAgain)}.`}{' '}
            <Link to="/usage">{near.length > 1 ? `See this and ${near.length - 1} more` : 'See usage'}</Link>
          </span>
        </Banner>
      )}
    </div>
  )
}

function describeBudget({ holder, id, name, used, tokens }: Schemas['Budget'], you: string): string {
  const of =
    holder === 'organization' ? 'this organization' : `${holder === 'key' ? 'key ' : ''}${showOddCharacters(name)}`
  const whose = holder === 'member' && id === you ? 'Your monthly budget' : `The monthly budget of ${of}`
  if (used >= tokens) return `${whose} is used up: ${formatShort(tokens)} tokens.`
  return `${whose} is ${Math.floor((used / tokens) * 100)}% used: ${formatShort(used)} of ${formatShort(tokens)} tokens.`
}
