// Models, devices, keys and members that match what is typed into the palette.

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { BookOpen, Box, KeyRound, MessagesSquare, MonitorSmartphone, UserRound } from 'lucide-react'
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
  const help = useFoundHelp(typed)
  const navigate = useNavigate()
  const go: Go = (to, search) => () => void navigate({ to, search })
  if (!hasText) return []
  const best = <Row>(rows: readonly Row[] | undefined, textOf: (row: Row) => string) =>
    rank(rows ?? [], typed, textOf).slice(0, MOST)
  return [
    ...best(models.data, ({ name }) => `${name} model`).map((row) => openModel(row, go)),
    ...best(
      models.data?.filter(({ state }) => state === 'enabled'),
      ({ name }) => `chat with ${name}`,
    ).map((row) => chatWith(row, go)),
    ...best(devices.data, ({ name }) => `${name} device`).map((row) => openDevice(row, go)),
    ...best(keys.data, ({ name, hint }) => `${name} ${hint} key`).map((row) => openKey(row, go)),
    ...best(members.data?.members, ({ name, email }) => `${name} ${email} member`).map((row) => findMember(row, go)),
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

type Place = '/models' | '/playground' | '/devices' | '/keys' | '/members'
type Go = (to: Place, search: { open?: string; filter?: string }) => () => void

function openModel({ name, state }: Shapes['Model'], go: Go): Command {
  const detail = state === 'offered' ? 'available' : state
  const run = go('/models', { open: name })
  return { id: `model ${name}`, group: 'Models', title: name, detail, words: 'model', icon: Box, run }
}

function chatWith({ name }: Shapes['Model'], go: Go): Command {
  const run = go('/playground', { open: name })
  return { id: `chat ${name}`, group: 'Playground', title: `Chat with ${name}`, icon: MessagesSquare, run }
}

function openDevice({ id, name, state }: Shapes['Device'], go: Go): Command {
  const detail = state === 'offline' ? 'offline' : 'online'
  const run = go('/devices', { open: id })
  return { id: `device ${id}`, group: 'Devices', title: name, detail, words: 'device', icon: MonitorSmartphone, run }
}

function openKey({ id, name, hint }: Shapes['Key'], go: Go): Command {
  const run = go('/keys', { open: id, filter: name })
  return { id: `key ${id}`, group: 'Keys', title: name, detail: `…${hint}`, words: `key ${hint}`, icon: KeyRound, run }
}

function findMember({ person, name, email }: Shapes['Member'], go: Go): Command {
  const run = go('/members', { filter: email })
  return { id: `member ${person}`, group: 'Members', title: name, detail: email, words: 'member', icon: UserRound, run }
}
