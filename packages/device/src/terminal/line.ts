// A line for the owner of the machine, with how good or bad it is.

import type { Level } from '@hearth/command-line/terminal/screen'

export interface Line {
  level: Level
  text: string
}

export const good = (text: string): Line => ({ level: 'good', text })
export const info = (text: string): Line => ({ level: 'info', text })
export const warn = (text: string): Line => ({ level: 'warn', text })
export const bad = (text: string): Line => ({ level: 'bad', text })
