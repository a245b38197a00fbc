import { createContext, use } from 'react'
import type { Description } from './description.ts'

export const DescriptionContext = createContext<Description | undefined>(undefined)

/** The description that references in its schemas point into. */
export function useDescription(): Description {
  const description = use(DescriptionContext)
  if (!description) throw new Error('useDescription must be called inside a DescriptionContext')
  return description
}
