import { useEffect, useState, type Dispatch, type SetStateAction } from 'react'
import { keepForPerson } from '../../api/person-memory.ts'

const kept = new Map<string, unknown>()

keepForPerson({ forget: () => kept.clear() })

/** State that survives a visit to another page, and a session that ends. */
export function useKept<Value>(
  organization: string,
  name: string,
  initial: Value,
): [Value, Dispatch<SetStateAction<Value>>] {
  const key = `${organization} ${name}`
  const [value, setValue] = useState(() => (kept.get(key) as Value | undefined) ?? initial)
  // With every change, not at the end: a page that goes away because its person is forgotten must not bring anything back.
  useEffect(() => {
    kept.set(key, value)
  }, [key, value])
  return [value, setValue]
}
