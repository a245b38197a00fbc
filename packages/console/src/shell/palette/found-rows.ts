// Models, devices, keys and members that match what is typed into the palette.

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { BookOpen, Box, KeyRound, MessagesSquare, MonitorSmartphone, UserRound } from 'lucide-react'
import { rank } from '../../lib/rank.ts'
import { useRead } from '../../session/use-read.ts'
import type { Command } from './commands.ts'

/** More of one kind would push the others out of sight. */
const MOST = 6

const KINDS = {
  model: { group: 'Models', icon: Box },
  chat: { group: 'Playground', icon: MessagesSquare },
  device: { group: 'Devices', icon: MonitorSmartphone },
  key: { group: 'Keys', icon: KeyRound },
  member: { group: 'Members', icon: UserRound },
}

type Kind = keyof typeof KINDS
type Found = Pick<Command, 'id' | 'title' | 'detail' | 'run'>
type ListPage = '/models' | '/playground' | '/devices' | '/keys' | '/members'

export function useFoundRows(typed: string): Command[] {
  const search = typed.trim()
  const settings = { enabled: search !== '' }
  const models = useRead('/models', {}, settings).data?.models
  const devices = useRead('/devices', {}, settings).data?.devices
  const members = useRead('/members', {}, settings).data?.members
  const finding = { ...settings, placeholderData: keepPreviousData }
  const keys = useRead('/keys', { query: { search, limit: 10 } }, finding).data?.keys
  const help = useFoundHelp(typed)
  const navigate = useNavigate()
  const go = (to: ListPage, search: { open?: string; filter?: string }) => () => void navigate({ to, search })
  if (search === '') return []
  const best = <Row>(kind: Kind, rows: readonly Row[] = [], textOf: (row: Row) => string, show: (row: Row) => Found) =>
    rank(rows, typed, textOf)
      .slice(0, MOST)
      .map(show)
      .map(({ id, ...found }) => ({ ...KINDS[kind], id: `${kind} ${id}`, ...found }))
  return [
    ...best(
      'model',
      models,
      ({ name }) => `${name} model`,
      ({ name, state }) => ({
        id: name,
        title: name,
        detail: state === 'offered' ? 'available' : state,
        run: go('/models', { open: name }),
      }),
    ),
    ...best(
      'chat',
      models?.filter(({ state }) => state === 'enabled'),
      ({ name }) => `chat with ${name}`,
      ({ name }) => ({ id: name, title: `Chat with ${name}`, run: go('/playground', { open: name }) }),
    ),
    ...best(
      'device',
      devices,
      ({ name }) => `${name} device`,
      ({ id, name, state }) => ({
        id,
        title: name,
        detail: state === 'offline' ? 'offline' : 'online',
        run: go('/devices', { open: id }),
      }),
    ),
    ...best(
      'key',
      keys,
      ({ name, hint }) => `${name} ${hint} key`,
      ({ id, name, hint }) => ({ id, title: name, detail: `…${hint}`, run: go('/keys', { open: id, filter: name }) }),
    ),
    ...best(
      'member',
      members,
      ({ name, email }) => `${name} ${email} member`,
      ({ person, name, email }) => ({ id: person, title: name, detail: email, run: go('/members', { filter: email }) }),
    ),
    ...help,
  ]
}

/** Loads Help with the first letter. */
function useFoundHelp(typed: string): Command[] {
  const navigate = useNavigate()
  const queryFn = () => import('../../pages/help/search.ts')
  const { data } = useQuery({ queryKey: ['help'], queryFn, staleTime: Infinity, enabled: typed.trim() !== '' })
  return (data?.findHelp(typed) ?? []).slice(0, MOST).map(({ page, section: { id, heading, level } }) => ({
    id: `help ${page.path} ${id}`,
    group: 'Help',
    title: heading,
    ...(level > 1 && { detail: page.title }),
    icon: BookOpen,
    run: () => void navigate({ to: '/help/$', params: { _splat: page.path }, hash: level > 1 ? id : '' }),
  }))
}
