import type { Schemas } from '../../api/client.ts'
import type { Tone } from '../../parts/text/badge.tsx'

type Model = Schemas['Model']

export function describeState({ state, devices, downloads }: Model): { tone: Tone; word: string } {
  if (state === 'adding') return describeAdding(downloads)
  if (state === 'disabled') return { tone: 'calm', word: 'Disabled' }
  if (state === 'offered') return { tone: 'accent', word: 'Available' }
  return devices.length > 0 ? { tone: 'good', word: 'Enabled' } : { tone: 'warn', word: 'Enabled, no devices' }
}

/** The first device that has it enables the model, so the one that is furthest counts. */
function describeAdding(downloads: Model['downloads']): { tone: Tone; word: string } {
  if (downloads.length === 0) return { tone: 'warn', word: 'Waiting for a device' }
  if (downloads.every(({ state }) => state === 'failed')) return { tone: 'bad', word: 'Download failed' }
  if (downloads.every(({ state }) => state === 'failed' || state === 'paused'))
    return { tone: 'calm', word: 'Download paused' }
  const shares = downloads.map(({ doneBytes, totalBytes }) => (totalBytes ? doneBytes / totalBytes : 0))
  return { tone: 'accent', word: `Downloading, ${Math.floor(Math.max(...shares) * 100)}%` }
}
