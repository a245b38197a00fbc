// State of the page that is still there when somebody looks at another page and comes back. It lies in memory only, beside everything
// else that was read: signing out forgets it, and so do a reload and some minutes elsewhere.

import { useEffect, useEffectEvent, useState, type Dispatch, type SetStateAction } from 'react'
import { queryClient } from '../../api/queries.ts'

export function useKept<Value>(
  organization: string,
  name: string,
  initial: Value,
): [Value, Dispatch<SetStateAction<Value>>] {
  const [value, setValue] = useState(
    () => queryClient.getQueryData<Value>([organization, 'playground', name]) ?? initial,
  )
  const keep = useEffectEvent(() => {
    queryClient.setQueryData([organization, 'playground', name], value)
  })
  useEffect(() => () => keep(), [])
  return [value, setValue]
}
