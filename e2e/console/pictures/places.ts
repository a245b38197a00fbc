import { fileURLToPath } from 'node:url'
import type { Look } from './walk-pages.ts'

export const PICTURES = fileURLToPath(new URL('../../../docs/pictures', import.meta.url))
export const OUTLINES = `${PICTURES}/outlines`
/** A dark page has the same outline as a light one. */
export const OUTLINED: readonly Look[] = ['light', 'phone']

export function outlineName(page: string, look: Look): string {
  return `${OUTLINES}/${page}-${look}.txt`
}
