// The pages of the console in the order of the sidebar. The key goes there after `g`.

import {
  BookOpen,
  Box,
  ChartColumn,
  KeyRound,
  MessagesSquare,
  MonitorSmartphone,
  Rocket,
  ScrollText,
  Users,
  type LucideIcon,
} from 'lucide-react'

interface Place {
  path: '/' | '/models' | '/devices' | '/keys' | '/members' | '/playground' | '/usage' | '/audit' | '/reference'
  title: string
  icon: LucideIcon
  key: string
  isForAdmins?: boolean
}

export const PLACES: readonly Place[] = [
  { path: '/', title: 'Start', icon: Rocket, key: 's' },
  { path: '/models', title: 'Models', icon: Box, key: 'm' },
  { path: '/devices', title: 'Devices', icon: MonitorSmartphone, key: 'd' },
  { path: '/keys', title: 'Keys', icon: KeyRound, key: 'k' },
  { path: '/members', title: 'Members', icon: Users, key: 'e' },
  { path: '/playground', title: 'Playground', icon: MessagesSquare, key: 'p' },
  { path: '/usage', title: 'Usage', icon: ChartColumn, key: 'u' },
  { path: '/audit', title: 'Audit', icon: ScrollText, key: 'a', isForAdmins: true },
  { path: '/reference', title: 'API reference', icon: BookOpen, key: 'r' },
]
