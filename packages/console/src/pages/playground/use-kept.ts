// State that survives a visit to another page. It lives in the query cache, in memory only: signing out, reloading or a few minutes on other
// pages clear it.

import { useEffect, useEffectEvent, useState, type Dispatch, type SetStateAction } from 'react'
import { queryClient } from '../../api/query-client.ts'

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
