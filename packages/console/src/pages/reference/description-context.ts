import { createContext, use } from 'react'
import type { Description } from './description.ts'

export const DescriptionContext = createContext<Description | undefined>(undefined)

/** The description whose schemas are shown: references in them lead into it. */
export function useDescription(): Description {
  const description = use(DescriptionContext)
  if (!description) throw new Error('Schemas are shown inside of a description only')
  return description
}
