// Reminds the owner of what others may download to this machine.

import type { Line } from '../../terminal/describe-news.ts'
import type { Context } from '../context.ts'

export function checkConsoleDownloads({ settings }: Pick<Context, 'settings'>): Line[] {
  if (settings.remoteModels === 'off' || !settings.allowLocalDownloads) return []
  return [
    {
      level: 'warn',
      text: 'Console downloads: may come from your local network → remove allow-local-downloads if nobody needs that',
    },
  ]
}
