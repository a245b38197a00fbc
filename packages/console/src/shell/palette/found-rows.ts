// Models, devices, keys and members that match what is typed into the palette.

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Box, KeyRound, MessagesSquare, MonitorSmartphone, UserRound } from 'lucide-react'
import type { Shapes } from '../../api/client.ts'
import { devices as devicesQuery } from '../../api/queries/devices.ts'
import { findKeys } from '../../api/queries/keys.ts'
import { members as membersQuery } from '../../api/queries/members.ts'
import { models as modelsQuery } from '../../api/queries/models.ts'
import { rank } from '../../lib/rank.ts'
import { useSession } from '../../session/session.ts'
import type { Command } from './commands.ts'

/** More of one kind would push the others out of sight. */
const MOST = 6

export function useFoundRows(typed: string): Command[] {
  const hasText = typed.trim() !== ''
  const { organization } = useSession()
  const models = useQuery({ ...modelsQuery(organization.id), enabled: hasText })
  const devices = useQuery({ ...devicesQuery(organization.id), enabled: hasText })
  const members = useQuery({ ...membersQuery(organization.id), enabled: hasText })
  const keys = useQuery({
    ...findKeys(organization.id, typed.trim()),
    enabled: hasText,
    placeholderData: keepPreviousData,
  })
  const toCommands = useToCommands()
  if (!hasText) return []
  const best = <Row>(rows: readonly Row[] | undefined, textOf: (row: Row) => string) =>
    rank(rows ?? [], typed, textOf).slice(0, MOST)
  return [
    ...best(models.data, ({ name }) => `${name} model`).map(toCommands.model),
    ...best(
      models.data?.filter(({ state }) => state === 'enabled'),
      ({ name }) => `chat with ${name}`,
    ).map(toCommands.chat),
    ...best(devices.data, ({ name }) => `${name} device`).map(toCommands.device),
    ...best(keys.data, ({ name, hint }) => `${name} ${hint} key`).map(toCommands.key),
    ...best(members.data?.members, ({ name, email }) => `${name} ${email} member`).map(toCommands.member),
  ]
}

function useToCommands() {
  const navigate = useNavigate()
  return {
    model: ({ name, state }: Shapes['Model']): Command => ({
      id: `model ${name}`,
      group: 'Models',
      title: name,
      detail: state === 'offered' ? 'available' : state,
      words: 'model',
      icon: Box,
      run: () => void navigate({ to: '/models', search: { open: name } }),
    }),
    chat: ({ name }: Shapes['Model']): Command => ({
      id: `chat ${name}`,
      group: 'Playground',
      title: `Chat with ${name}`,
      icon: MessagesSquare,
      run: () => void navigate({ to: '/playground', search: { open: name } }),
    }),
    device: ({ id, name, state }: Shapes['Device']): Command => ({
      id: `device ${id}`,
      group: 'Devices',
      title: name,
      detail: state === 'offline' ? 'offline' : 'online',
      words: 'device',
      icon: MonitorSmartphone,
      run: () => void navigate({ to: '/devices', search: { open: id } }),
    }),
    key: ({ id, name, hint }: Shapes['Key']): Command => ({
      id: `key ${id}`,
      group: 'Keys',
      title: name,
      detail: `…${hint}`,
      words: `key ${hint}`,
      icon: KeyRound,
      run: () => void navigate({ to: '/keys', search: { open: id, filter: name } }),
    }),
    member: ({ person, name, email }: Shapes['Member']): Command => ({
      id: `member ${person}`,
      group: 'Members',
      title: name,
      detail: email,
      words: 'member',
      icon: UserRound,
      run: () => void navigate({ to: '/members', search: { filter: email } }),
    }),
  }
}
