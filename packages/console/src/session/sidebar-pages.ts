// The pages in sidebar order. Pressing `g` and then the key opens the page.

import {
  BookOpen,
  Box,
  ChartColumn,
  House,
  KeyRound,
  MessagesSquare,
  MonitorSmartphone,
  ScrollText,
  Settings,
  Users,
  type LucideIcon,
} from 'lucide-react'
import { useSession } from './session.ts'

interface SidebarPage {
  path: string
  title: string
  icon: LucideIcon
  key: string
  isForAdmins?: boolean
}

export const SIDEBAR_PAGES = [
  { path: '/', title: 'Home', icon: House, key: 'h' },
  { path: '/models', title: 'Models', icon: Box, key: 'm' },
  { path: '/devices', title: 'Devices', icon: MonitorSmartphone, key: 'd' },
  { path: '/keys', title: 'Keys', icon: KeyRound, key: 'k' },
  { path: '/members', title: 'Members', icon: Users, key: 'e' },
  { path: '/playground', title: 'Playground', icon: MessagesSquare, key: 'p' },
  { path: '/usage', title: 'Usage', icon: ChartColumn, key: 'u' },
  { path: '/audit', title: 'Audit log', icon: ScrollText, key: 'a', isForAdmins: true },
  { path: '/help', title: 'Help', icon: BookOpen, key: 'r' },
  { path: '/settings', title: 'Settings', icon: Settings, key: 's' },
] as const satisfies readonly SidebarPage[]

/** The pages that the person may open. */
export function useSidebarPages(): (typeof SIDEBAR_PAGES)[number][] {
  const { isAdmin } = useSession()
  return SIDEBAR_PAGES.filter((page) => isAdmin || !('isForAdmins' in page))
}
