import { useQuery } from '@tanstack/react-query'
import { overview as overviewQuery } from '../../api/queries/organization.ts'
import { rank, score } from '../../lib/rank.ts'
import { useSession } from '../../session/session.ts'
import { useActionCommands, useOrganizationCommands, usePageCommands, type Command } from './commands.ts'
import { useFoundRows } from './found-rows.ts'

export interface Group {
  title: string
  commands: Command[]
}

/** The group with the best match comes first. */
export function useGroups(typed: string, onHelp: () => void): Group[] {
  const { organization } = useSession()
  const overview = useQuery(overviewQuery(organization.id))
  const fixed = [
    ...usePageCommands(),
    ...useActionCommands({ baseUrl: overview.data?.baseUrl, onHelp }),
    ...useOrganizationCommands(),
  ]
  const commands = [...rank(fixed, typed, textOf), ...useFoundRows(typed)]
  const groups = Map.groupBy(commands, ({ group }) => group)
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const best = ({ commands: [first] }: Group) =>
    first && words.length > 0 ? score(words, first.title.toLowerCase()) : 0
  return Array.from(groups, ([title, found]) => ({ title, commands: found })).toSorted(
    (one, other) => best(other) - best(one),
  )
}

function textOf({ title, words = '' }: Command): string {
  return `${title} ${words}`
}
